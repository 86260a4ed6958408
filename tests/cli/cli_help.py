#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Help, man page, completion, exit codes and colours of the program, and that they say the same.

    cli_help.py LIESTEP SOURCE_ROOT VERSION
"""
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile

LIESTEP, ROOT, VERSION = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
MAN = (ROOT / 'docs/man/liestep.1').read_text()
failures = []


def check(good, text):
    if not good:
        failures.append(text)


def run(*words, **options):
    return subprocess.run([LIESTEP, *words], text=True, capture_output=True, **options)


HELP = run('--help').stdout
COMMANDS = re.findall(r'^  ([a-z]+) +\S', HELP.split('\nCommands\n')[1].split('\n\n')[0], flags=re.M)


def options_of(command):
    """[(letter or '', name)] as --help of the command lists them."""
    text = run(command, '--help').stdout
    listed = text.split('\nOptions\n')[1].split('\n\n')[0] if '\nOptions\n' in text else ''
    return re.findall(r'^  (?:-(\w), )?--([a-z-]+)', listed, flags=re.M)


def test_help_and_version():
    check(run('--version').stdout == f'liestep {VERSION}\n', run('--version').stdout)
    check(run().returncode == 2 and run().stdout == HELP, 'liestep alone shows the help and fails')
    check({'run', 'section', 'ensemble', 'control', 'bench', 'check', 'methods', 'systems', 'groups', 'convert'} <= set(COMMANDS), f'commands: {COMMANDS}')
    for command in COMMANDS:
        done = run(command, '--help')
        check(done.returncode == 0 and done.stdout.startswith(f'usage: liestep {command}'), f'{command} --help: {done}')
        check(run('help', command).stdout == done.stdout, f'help {command} differs from {command} --help')
        check(max(map(len, done.stdout.splitlines())) <= 120, f'{command} --help: a line of more than 120 columns')


def test_wrong_command():
    for words, text in ((['methds'], "did you mean 'methods'"), (['xyzzy'], "unknown command 'xyzzy'. 'liestep --help'"),
                        (['--verson'], 'unknown option'), (['help', 'rum'], "did you mean 'run'")):
        done = run(*words)
        check(done.returncode == 2 and text in done.stderr and not done.stdout, f'{words}: {done}')


def test_man_page_and_help_agree():
    for command in COMMANDS:
        check(re.search(rf'^\.Cm {command}$', MAN, flags=re.M), f'{command} is not in the synopsis of the man page')
        for letter, name in options_of(command):
            check(name == 'help' or re.search(rf'^\.It Fl .*-{name}\b', MAN, flags=re.M), f'--{name} is not in the man page')
            check(not letter or re.search(rf'^\.It Fl {letter} , -{name}\b', MAN, flags=re.M), f'-{letter} is not there')
    known = {name for command in COMMANDS for _, name in options_of(command)} | {'version'}
    for name in re.findall(r'\bFl (?:\w , )?-([a-z-]+)', MAN):
        check(name in known, f'the man page tells of --{name}, which no command has')
    codes = re.findall(r'^ +(\d+)  (.*)$', HELP.split('\nExit codes\n')[1], flags=re.M)
    section = MAN.split('.Sh EXIT STATUS')[1].split('.Sh ')[0]
    check(len(codes) == 7 and codes == re.findall(r'^\.It (\d+)\n(.*)$', section, flags=re.M), 'exit codes differ')


def test_man_page_is_clean():
    for tool in (['mandoc', '-Tlint', '-W', 'style'], ['man', '--warnings', '-E', 'UTF-8', '-l']):
        if shutil.which(tool[0]):
            done = subprocess.run([*tool, str(ROOT / 'docs/man/liestep.1')], text=True, capture_output=True,
                                  env=dict(os.environ, MANWIDTH='80', LC_ALL='C.UTF-8'))
            said = done.stderr + (done.stdout if tool[0] == 'mandoc' else '')
            check(not said, said)


def test_examples_of_the_help_run():
    for command in ('methods', 'groups', 'systems', 'convert'):
        examples = run(command, '--help').stdout.partition('\nExamples\n')[2]
        for line in examples.splitlines():
            if '<' not in line:
                check(run(*line.split()[1:]).returncode == 0, f'the example "{line.strip()}" fails')
    for line in re.findall(r'^  liestep ((?:methods|convert).*?)(?:  .*)?$', HELP, flags=re.M):
        check(run(*line.split()).returncode == 0, f'the example "{line}" fails')


def test_output_that_cannot_be_written():
    if os.path.exists('/dev/full'):
        with open('/dev/full', 'w') as full:
            for words in (['--help'], ['methods'], ['groups', '--json'], ['convert', '--list']):
                done = subprocess.run([LIESTEP, *words], stdout=full, stderr=subprocess.PIPE, text=True)
                check(done.returncode == 4 and 'cannot write' in done.stderr, f'{words} into a full disk: {done}')


def on_terminal(*words, **env):
    """What the program writes when standard output and error are a terminal."""
    master, slave = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key != 'NO_COLOR'}
    with subprocess.Popen([LIESTEP, *words], stdin=slave, stdout=slave, stderr=slave,
                          env=dict(environment, **{'TERM': 'xterm', **env})):
        os.close(slave)
        text = b''
        try:
            while chunk := os.read(master, 4096):
                text += chunk
        except OSError:  # Linux answers EIO at the end
            pass
    os.close(master)
    return text


def test_colours():
    for words in (['methods'], ['nonsense']):
        check(b'\033[' in on_terminal(*words), f'{words}: no colours on a terminal')
        check(b'\033' not in on_terminal(*words, NO_COLOR='1'), f'{words}: colours in spite of NO_COLOR')
        check(b'\033' not in on_terminal(*words, TERM='dumb'), f'{words}: colours on a dumb terminal')
        check(b'\033[' in on_terminal(*words, NO_COLOR=''), f'{words}: an empty NO_COLOR counts as not set')
    done = run('nonsense')
    check('\033' not in done.stderr + run('methods').stdout, 'colours in a pipe')


def complete(*words, folder='.'):
    line = ' '.join(f"'{word}'" for word in (LIESTEP, *words))
    script = (f'source {ROOT}/cli/commands/completion.bash; COMP_WORDS=({line}); COMP_CWORD={len(words)}; '
              f'_liestep {LIESTEP} "${{COMP_WORDS[-1]}}" "${{COMP_WORDS[-2]}}"; printf "%s\\n" "${{COMPREPLY[@]}}"')
    return subprocess.run(['bash', '-c', script], text=True, capture_output=True, cwd=folder).stdout.split()


def test_completion():
    if not shutil.which('bash'):
        return
    check(sorted(complete('')) == sorted([*COMMANDS, '--help', '--version']), f'commands: {complete("")}')
    check(complete('me') == ['methods'], 'me')
    for command in COMMANDS:
        wanted = {f'--{name}' for _, name in options_of(command)}
        check(set(complete(command, '--')) >= wanted, f'{command} --: {complete(command, "--")}')
    check(complete('check', 'gauss') == ['gauss1', 'gauss2', 'gauss3', 'gauss4', 'gauss6', 'gauss8'], 'check gauss')
    check(complete('check', 'sv', '-g', 'S')[:4] == ['SO3', 'S3', 'SE3', 'SE2'], 'check -g S')
    check(complete('check', 'vprk', '-t', 'rad') == ['radau2a2', 'radau2a3'], 'check -t rad')
    check(complete('run', 'top.yaml', '-s', 'start.eu') == [f'start.euler_{name}=' for name in ('zyx', 'zyx_deg', 'zxz', 'zxz_deg')], 'run -s start.eu')
    check(complete('convert', '-t', 'euler_zx') == ['euler_zxz', 'euler_zxz_deg'], 'convert -t euler_zx')
    with tempfile.TemporaryDirectory() as folder:
        for name in ('top.yaml', 'top.txt', 'torus.yml'):
            pathlib.Path(folder, name).touch()
        pathlib.Path(folder, 'tools').mkdir()
        check(sorted(complete('run', 'to', folder=folder)) == ['tools', 'top.yaml', 'torus.yml'], 'run to')


for test_name, test in sorted(globals().items()):
    if test_name.startswith('test_'):
        test()
print('\n'.join(failures))
sys.exit(f'{len(failures)} failures' if failures else 0)
