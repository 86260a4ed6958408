#!/bin/sh
# SPDX-License-Identifier: MIT
# setup.sh: install what the build and the named purposes need and the system does not have yet.
#
#   tools/setup.sh [test] [lint] [san] [msan] [bench] [coverage] [bits] [docs] [fuzz]
#
# Silent, and done in a blink, if nothing is missing. With apt (as root or through sudo) it installs; without apt it
# says what is missing and goes on if the build can do without. It changes nothing of the system's configuration.
set -eu
cd "$(dirname "$0")/.."

has_libc() { echo '#include <math.h>' | cc -E -; }
has_numpy() { python3 -c 'import numpy' || /usr/bin/python3 -c 'import numpy'; }
has_runtime() { test -e "$(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a")"; }

# The header alone: those of C++ libraries include what C does not have.
has_header() { echo "#include <$1>" | cc -E -; }

# check must|may PACKAGE COMMAND...: note the Debian package if the command fails
check() {
    kind=$1 package=$2
    shift 2
    "$@" >/dev/null 2>&1 && return
    missing="$missing $package"
    [ "$kind" = may ] || required="$required $package"
}

check_peers() {
    check may libgsl-dev pkg-config --exists gsl
    check may libsundials-dev has_header cvode/cvode.h
    check may libboost-dev has_header boost/version.hpp
    check may libmujoco-dev has_header mujoco/mujoco.h
}

check_all() {
    missing='' required=''
    check must gcc command -v cc
    check must libc6-dev has_libc
    check must meson command -v meson
    check must ninja-build command -v ninja
    check must pkg-config command -v pkg-config
    check must python3 command -v python3
    check may libopenblas-dev pkg-config --exists openblas
    check may liblapacke-dev pkg-config --exists lapacke
    check may libcyaml-dev pkg-config --exists libcyaml
    check may libyaml-dev pkg-config --exists yaml-0.1
    check may libhdf5-dev pkg-config --exists hdf5
    check may libpng-dev pkg-config --exists libpng
    check may libopenmpi-dev pkg-config --exists ompi
    check may gnuplot-nox command -v gnuplot
    for purpose in "$@"; do
        case $purpose in
        test)
            check may g++ command -v c++
            check may coinor-libipopt-dev pkg-config --exists ipopt
            check may libgmp-dev pkg-config --exists gmp
            check may libmpfr-dev pkg-config --exists mpfr
            check may xz-utils command -v xz
            check may cmake command -v cmake
            check may doxygen command -v doxygen
            check may mandoc command -v mandoc
            check may openmpi-bin command -v mpirun
            check may strace command -v strace
            check may tmux command -v tmux
            check may hdf5-tools command -v h5dump
            check may python3-numpy has_numpy
            check may locales test -e /usr/share/i18n/locales/de_DE
            ;;
        lint)
            check must clang command -v clang
            check must clang-format command -v clang-format
            check must clang-tidy command -v clang-tidy
            check must cppcheck command -v cppcheck
            check may libeigen3-dev pkg-config --exists eigen3
            check_peers
            ;;
        san)
            check must valgrind command -v valgrind
            check must libc6-dbg valgrind --quiet /bin/true
            ;;
        bench)
            check may g++ command -v c++
            check may libeigen3-dev pkg-config --exists eigen3
            check_peers
            ;;
        coverage) check must gcovr command -v gcovr ;;
        bits) check must clang command -v clang ;;
        docs) check must doxygen command -v doxygen ;;
        fuzz | msan)
            check must clang command -v clang
            check must libclang-rt-dev has_runtime
            ;;
        *)
            echo "setup.sh: unknown purpose '$purpose'" >&2
            exit 2
            ;;
        esac
    done
}

install_missing() {
    if [ "$(id -u)" = 0 ]; then
        as_root='env'
    elif command -v sudo >/dev/null; then
        as_root='sudo env'
    else
        return 1
    fi
    echo "installing$missing"
    log=$(mktemp)
    # A third-party source that does not answer must not stop us: the installation decides.
    $as_root DEBIAN_FRONTEND=noninteractive apt-get -qq update >"$log" 2>&1 || true
    # shellcheck disable=SC2086 # words on purpose
    if $as_root DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
        -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 install $missing >>"$log" 2>&1; then
        rm -f "$log"
        return 0
    fi
    tail -n 20 "$log" >&2
    rm -f "$log"
    return 1
}

# What was configured without the new packages is configured again.
forget_configuration() { rm -f build/build.ninja build-*/build.ninja; }

check_all "$@"
if [ -n "$missing" ] && command -v apt-get >/dev/null && install_missing; then
    forget_configuration
    check_all "$@"
fi
if [ -n "$missing" ]; then
    echo "missing (names of Debian's packages; as root: apt-get install):$missing" >&2
    if [ -n "$required" ]; then
        echo "cannot go on without:$required" >&2
        exit 1
    fi
fi

case " $* " in *' test '*)
    if ! cmp -s subprojects/packagefiles/unity/meson.build subprojects/unity/meson.build; then
        tools/fetch_unity.sh || { echo "cannot go on without Unity, the test framework" >&2; exit 1; }
        forget_configuration
    fi
    ;;
esac
