#!/bin/sh
# SPDX-License-Identifier: MIT
# fetch_unity.sh: put the test framework Unity into subprojects/unity.
#
# No Debian package holds Unity, but the source package ntpsec ships it under tests/unity. It is fetched and verified by
# apt, with source lists and indices of its own in a temporary directory: the system's configuration is only read.
# Where there is no apt, meson follows subprojects/unity.wrap instead.
set -eu
cd "$(dirname "$0")/.."
echo "fetching Unity"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# The distribution's own entries of the system's source lists, asking for sources in place of packages.
# Third-party entries are left out: those not named after this release, or without the component main.
write_source_lists() {
    release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    suite="(^|[ \t\n])$release(-updates|-security)?([ \t\n]|\$)"
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -f "$file" ] || continue
        awk -v RS= -v ORS='\n\n' -v suite="$suite" '
            $0 ~ suite && /(^|\n)Components:[^\n]*main/ { sub(/(^|\n)Types:[^\n]*/, "\nTypes: deb-src"); print }
        ' "$file" >"$work/parts/$(basename "$file")"
    done
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -f "$file" ] || continue
        awk -v suite="$suite" '
            /^deb(-src)?[ \t]/ && $0 ~ suite && /[ \t]main([ \t]|$)/ { sub(/^deb(-src)?/, "deb-src"); print }
        ' "$file" | sort -u >"$work/parts/$(basename "$file" .list).list"
    done
}

private_apt() {
    apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/parts" \
        -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root "$@"
}

from_debian() {
    command -v apt-get >/dev/null || return 1
    mkdir -p "$work/parts" "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
    write_source_lists
    {
        private_apt update || true
        (cd "$work/source" && private_apt source --download-only ntpsec)
    } >"$work/log" 2>&1 || { tail -n 5 "$work/log" >&2; return 1; }
    mkdir "$work/unity"
    tar -xf "$work"/source/ntpsec_*.orig.tar.* -C "$work/unity" --strip-components=3 --wildcards '*/tests/unity/*'
    [ -f "$work/unity/unity.c" ]
}

from_wrap() {
    meson subprojects download unity >"$work/log" 2>&1 || { sed -n 's/^  -> //p' "$work/log" >&2; return 1; }
    [ -f subprojects/unity/meson.build ]
}

if from_debian; then
    rm -rf subprojects/unity
    mkdir -p subprojects/unity
    mv "$work/unity" subprojects/unity/src
    cp subprojects/packagefiles/unity/meson.build subprojects/unity/
else
    from_wrap
fi
