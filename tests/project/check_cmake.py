#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Install into an empty directory, move it elsewhere, and build a CMake project against that: shared, then static.

    check_cmake.py BUILD_DIR CC core|full VERSION
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)
    if done.returncode != 0:
        sys.exit(f'failed: {" ".join(map(str, command))}\n{done.stdout}')
    return done.stdout


def configure(prefix, work, *options):
    command = ['cmake', '-S', HERE / 'consumer_cmake', '-B', work, f'-DSOURCES={HERE / "consumer"}',
               f'-DCMAKE_PREFIX_PATH={prefix}', *options]
    return subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def consume(prefix, cc, program, component, version, static):
    with tempfile.TemporaryDirectory() as work:
        options = [f'-DPROGRAM={program}', f'-DCOMPONENT={component}', f'-DVERSION={version}', f'-DCMAKE_C_COMPILER={cc}']
        done = configure(prefix, work, *options, *(['-DLIESTEP_USE_STATIC_LIBS=ON'] if static else []))
        if done.returncode != 0:
            sys.exit(done.stdout)
        run('cmake', '--build', work)
        linked = run('readelf', '-d', f'{work}/consumer')
        if ('libliestep' in linked) == static:
            sys.exit(f'{component}: the program is linked with the {"shared" if static else "static"} library')
        run(f'{work}/consumer')


def refuse(prefix, cc, component, version, words):
    with tempfile.TemporaryDirectory() as work:
        done = configure(prefix, work, '-DPROGRAM=rotation', f'-DCOMPONENT={component}', f'-DVERSION={version}',
                         f'-DCMAKE_C_COMPILER={cc}')
        if done.returncode == 0 or words not in ' '.join(done.stdout.split()):
            sys.exit(f'component {component}, version {version} is not refused with "{words}":\n{done.stdout}')


def main():
    build, cc, extent, version = sys.argv[1:]
    if not shutil.which('cmake'):
        print('cmake is not installed')
        sys.exit(SKIPPED)
    cc = cc.split()[-1]
    os.environ.pop('MAKEFLAGS', None)
    with tempfile.TemporaryDirectory() as dest:
        run('meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', f'{dest}/first')
        prefix = next(pathlib.Path(dest, 'first').rglob('include')).parent
        moved = pathlib.Path(dest, 'moved')
        prefix.rename(moved)
        for static in (False, True):
            consume(moved, cc, 'rotation', 'core', version, static)
            if extent == 'full':
                consume(moved, cc, 'matrix', 'liestep', version.rpartition('.')[0], static)
        refuse(moved, cc, 'nonsense', version, "without 'nonsense'")
        refuse(moved, cc, 'core', '99.0', 'compatible with requested version')


main()
