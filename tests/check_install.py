#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Install into an empty directory and build a project against that, by pkg-config alone: shared, then static.

    check_install.py BUILD_DIR CC core|full
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def run(*command, **options):
    words = [str(word) for word in command]
    if subprocess.run(words, **options).returncode != 0:
        sys.exit('failed: ' + ' '.join(words))


def consume(package, program, cc, installed, static):
    """Build tests/consumer in a copy and run it against the installed package."""
    libraries = next(installed.rglob('pkgconfig')).parent
    prefix = next(installed.rglob('include')).parent
    env = dict(os.environ, PKG_CONFIG_PATH=str(libraries / 'pkgconfig'), LD_LIBRARY_PATH=str(libraries))
    env.pop('MAKEFLAGS', None)
    with tempfile.TemporaryDirectory() as work:
        project = pathlib.Path(work) / 'consumer'
        shutil.copytree(pathlib.Path(__file__).parent / 'consumer', project)
        run('make', '-s', '-C', project, f'CC={cc}', f'PROGRAM={program}', f'PACKAGE={package}',
            f'STATIC={"--static" if static else ""}', f'PKG_CONFIG=pkg-config --define-variable=prefix={prefix}', env=env)
        linked = subprocess.run(['readelf', '-d', project / program], check=True, stdout=subprocess.PIPE, text=True)
        shared = f'lib{package}.so.0' in linked.stdout
        if shared == static:
            sys.exit(f'{package}: the program is linked with the {"shared" if shared else "static"} library')
        run(project / program, env=env)


def main():
    build, cc, extent = sys.argv[1:]
    programs = [('liestep-core', 'rotation')]
    if extent == 'full':
        programs += [('liestep', 'rotation'), ('liestep', 'matrix')]
    with tempfile.TemporaryDirectory() as dest:
        run('meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', dest)
        installed = pathlib.Path(dest)
        for package, program in programs:
            consume(package, program, cc, installed, static=False)
        # With the shared libraries gone the same command line finds the static ones.
        for library in installed.rglob('libliestep*.so*'):
            library.unlink()
        for package, program in programs:
            consume(package, program, cc, installed, static=True)


main()
