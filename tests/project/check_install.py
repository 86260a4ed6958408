#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Install into an empty directory and build a project against that, by pkg-config alone: shared, then static. Also the
examples as installed; and the program runs, its man page and its completion are where their readers look.

    check_install.py BUILD_DIR CC core|full program|library
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
    """Build tests/project/consumer in a copy and run it against the installed package."""
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


def needs_full(path):
    return '<liestep/liestep.h>' in path.read_text()


def build_examples(cc, installed, full):
    """Every installed example compiles against the installed headers and library; one is run. Those that need liestep are
    there where it is."""
    libraries = next(installed.rglob('pkgconfig')).parent
    prefix = next(installed.rglob('include')).parent
    sources = sorted(prefix.glob('share/doc/liestep/examples/*.c'))
    here = pathlib.Path(__file__).resolve().parents[2] / 'examples'
    if [path.name for path in sources] != sorted(path.name for path in here.glob('*.c') if full or not needs_full(path)):
        sys.exit(f'installed examples: {[path.name for path in sources]}')
    for path in sources:
        run(*cc.split(), '-std=c11', '-Wall', '-Wextra', '-Werror', path, '-o', installed / path.stem,
            f'-I{prefix}/include', f'-L{libraries}', '-lliestep' if needs_full(path) else '-lliestep-core', '-lm')
    run(installed / 'two_retractions', stdout=subprocess.DEVNULL, env=dict(os.environ, LD_LIBRARY_PATH=str(libraries)))
    if not list(prefix.glob('share/doc/liestep/scenarios/*.yaml')):
        sys.exit('the scenarios are not installed')


def use_program(installed):
    """liestep --version, a scenario as installed, man page, completion."""
    prefix = next(installed.rglob('include')).parent
    run(prefix / 'bin/liestep', '--version')
    run(prefix / 'bin/liestep', 'run', prefix / 'share/doc/liestep/scenarios/free_body.yaml', '-q', cwd=installed)
    page = next(prefix.rglob('man1/liestep.1*'), None)
    if not page:
        sys.exit('the man page is not installed')
    if shutil.which('man'):
        text = subprocess.run(['man', '-M', page.parent.parent, 'liestep'], check=True, text=True, capture_output=True,
                              env=dict(os.environ, MANPAGER='cat', MANWIDTH='80')).stdout
        if 'EXIT STATUS' not in text:
            sys.exit('man liestep does not show the page')
    completion = prefix / 'share/bash-completion/completions/liestep'
    if shutil.which('bash'):
        words = subprocess.run(['bash', '-c', f'PATH={prefix}/bin:$PATH; source {completion}; COMP_WORDS=(liestep met); '
                                'COMP_CWORD=1; _liestep liestep met liestep; echo "${COMPREPLY[@]}"'],
                               check=True, text=True, capture_output=True).stdout.split()
        if words != ['methods']:
            sys.exit(f'completion of "liestep met": {words}')


def main():
    build, cc, extent, program_too = sys.argv[1:]
    programs = [('liestep-core', 'rotation')]
    if extent == 'full':
        programs += [('liestep', 'rotation'), ('liestep', 'matrix')]
    with tempfile.TemporaryDirectory() as dest:
        run('meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', dest)
        installed = pathlib.Path(dest)
        for package, program in programs:
            consume(package, program, cc, installed, static=False)
        build_examples(cc, installed, extent == 'full')
        if program_too == 'program':
            use_program(installed)
        # With the shared libraries gone the same command line finds the static ones.
        for library in installed.rglob('libliestep*.so*'):
            library.unlink()
        for package, program in programs:
            consume(package, program, cc, installed, static=True)


main()
