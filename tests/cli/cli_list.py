#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`liestep methods`, `systems`, `groups` list what the sources have, and the tables in the documentation are theirs.

    cli_list.py LIESTEP SOURCE_ROOT
"""
import json
import pathlib
import re
import subprocess
import sys

LIESTEP, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
failures = []


def check(good, text):
    if not good:
        failures.append(text)


def run(*words):
    return subprocess.run([LIESTEP, *words], text=True, capture_output=True)


def listed(command):
    return json.loads(run(command, '--json').stdout)


def test_methods_are_those_of_the_library():
    source = (ROOT / 'lib/methods/methods.def').read_text()
    expected = []
    for row in re.split(r'^METHOD\(', source, flags=re.M)[1:]:
        name, doc = re.match(r'"(\w+)"', row).group(1), re.search(r'\.doc = "([^"]*)"', row).group(1)
        orders = re.search(r'ORDER\((\d+)\)|\.order = (\d+), \.order_exp = (\d+)', row).groups()
        when = re.search(r'\.self_adjoint = LIE_(\w+)', row)
        words = {'ALWAYS': 'yes', 'WITH_EXP': 'with exp', 'AS_TABLEAU': 'if the tableau is'}
        expected.append((name, int(orders[0] or orders[1]), int(orders[0] or orders[2]),
                         words[when.group(1)] if when else 'no', doc))
    found = [(m['name'], m['order'], m['order_exp'], m['self_adjoint'], m['doc']) for m in listed('methods')]
    check(len(expected) > 20 and found == expected, 'methods --json differs from lib/methods/methods.def')
    text = run('methods', '--all').stdout
    for name, *_ in expected:
        check(re.search(rf'^{name} ', text, flags=re.M), f'methods does not show {name}')
    aliases = [alias for m in listed('methods') for alias in m['aliases'].split()]
    check({'stoermer_verlet', 'euler_poincare', 'moser_veselov', 'variational_euler_forward'} <= set(aliases), aliases)
    words = run('methods', '--words').stdout.split()
    check(words == [name for name, *_ in expected] + aliases and len(set(words)) == len(words), 'methods --words')
    for word, name in (('stoermer_verlet', 'sv'), ('moser_veselov4', 'dmv4')):
        check(run('methods', word).stdout == run('methods', name).stdout and f'also called   {word}' in run('methods', name).stdout,
              f'methods {word}')
    check(run('methods', '--names').stdout.split() == [name for name, *_ in expected], 'methods --names')


def test_methods_says_which_to_take():
    lines = run('methods').stdout.splitlines()
    rows = [re.match(r'(\S.*?\S) {2,}(\w+) +(\S.*)', line) for line in lines[1:lines.index('')]]
    names = [m['name'] for m in listed('methods')]
    check(3 <= len(rows) <= 8 and all(row and row.group(2) in names for row in rows), f'methods: {lines}')
    table = run('methods', '--guide').stdout.splitlines()[2:]
    check([[cell.strip(' `') for cell in line.split('|')[1:4]] for line in table] == [list(row.groups()) for row in rows],
          'methods --guide differs')


def test_method_cards():
    card = run('methods', 'sv_kahanli6', 'vprk0').stdout
    for text in ('sv_kahanli6: sv composed to order 6', 'Kahan & Li 1997', '9 solves', 'vprk0: ', 'tableaux      euler_fwd'):
        check(text in card, f'methods sv_kahanli6 vprk0 does not say "{text}"')
    lines = run('methods', 'auto').stdout.splitlines()
    check([line.split()[0] for line in lines[1:]] == ['dmv10', 'split6', 'gauss3'], f'methods auto: {lines}')
    check(run('methods', 'auto', '--json').returncode == 2, 'methods auto --json')
    substeps = [float(x) for x in re.search(r'substeps +(.*)', card).group(1).split()]
    check(len(substeps) == 9 and abs(sum(substeps) - 1) < 1e-5, f'substeps {substeps}')
    check(len(json.loads(run('methods', 'sv', '--json').stdout)) == 1, 'methods sv --json')


def test_matrix_has_every_method_and_group():
    rows = run('methods', '--matrix').stdout.split('\n\n')[0].splitlines()
    columns = rows[0].count('|')
    check(all(row.count('|') == columns for row in rows), 'matrix: rows of different length')
    names = re.findall(r'`(\w+)`', '\n'.join(rows))
    check(sorted(names) == sorted(m['name'] for m in listed('methods')), 'matrix: methods')
    for name in (m['name'] for m in listed('methods') if not m['groups']):
        row = next(row for row in rows if f'`{name}`' in row)
        check(all(cell.strip() for cell in row.split('|')[3:-1]), f'matrix: {name} does not run on a group')
    check('*4* (3)' in next(row for row in rows if '`midpoint_triple4`' in row), 'matrix: midpoint_triple4')


def test_groups_are_those_of_the_library():
    source = (ROOT / 'groups/groups.def').read_text()
    pairs = re.findall(r'^RETRACTION\((\w+), (\w+)\)', source, flags=re.M)
    check(len(pairs) > 10, 'groups.def: no retractions found')
    groups = {g['name']: g for g in listed('groups')}
    upper = {g['header'][:-len('.h')]: name for name, g in groups.items() if name not in ('R', 'product', 'own')}
    for group, retraction in pairs:
        name = upper.get(group)
        check(name in groups, f'groups does not list {group}')
        check(name in groups and retraction in groups[name]['retractions'], f'{name} without {retraction}')
    check(sum(len(groups[g]['retractions']) for g in upper.values()) == len(pairs), 'groups: more pairs than there are')
    check((groups['SE3']['dim'], groups['SE3']['size']) == (6, 12), f'SE3: {groups["SE3"]}')
    check({'R', 'product', 'own'} <= groups.keys(), 'groups: R, product, own')
    for group in groups.values():
        check((ROOT / 'include/liestep' / group['header']).exists(), f'{group["header"]} does not exist')


# filled by the library, or parameters of another shape
NOT_GIVEN = {'plane', 'group', 'space', 'product', 'factor', 'top', 'body', 'thruster_at', 'thruster_along'}


def test_systems_are_those_of_the_library():
    header = (ROOT / 'include/liestep/systems.h').read_text()
    systems = {s['name']: s for s in listed('systems')}
    check(sorted(re.findall(r'lie_status lie_(\w+)_system\(', header)) == sorted(systems), 'systems differ from systems.h')
    for name, system in systems.items():
        check(system['what'] and system['groups'] and system['equation'], f'{name} has no description')
        body = re.search(rf'typedef struct lie_{name} {{(.*?)}} lie_{name};', header, flags=re.S).group(1)
        body = re.sub(r'/\*.*?\*/', '', body, flags=re.S)
        members = set(re.findall(r'(\w+)(?:\[\w+\])*[,;]', body)) - NOT_GIVEN
        given = {p['name'] for p in system['parameters']}
        check(members <= given, f'{name}: {members - given} is missing')


def test_every_list_has_its_forms():
    for command in ('methods', 'groups', 'systems'):
        table = run(command, '--markdown').stdout.splitlines()
        check(len({row.count('|') for row in table}) == 1 and len(table) > 5, f'{command} --markdown: uneven rows')
        lines = run(command).stdout.splitlines()
        check(all(line == line.rstrip() for line in lines), f'{command}: spaces at the end of a line')
        check('\033' not in run(command).stdout, f'{command}: colours in a pipe')


def test_wrong_words():
    for words, text in ((('methods', 'gaus2'), "did you mean 'gauss2'"),
                        (('methods', 'stormer_verlet'), "did you mean 'stoermer_verlet'"), (('groups', 'S3'), 'takes no argument'),
                        (('systems', '--jsn'), "did you mean '--json'")):
        done = run(*words)
        check(done.returncode == 2 and text in done.stderr, f'{words}: {done}')


def test_tables_of_the_documentation():
    files = [ROOT / 'README.md', *sorted((ROOT / 'docs').glob('*.md'))]
    tables = [path for path in files if '<!-- generated: liestep' in path.read_text(encoding='utf-8')]
    for name in ('METHODS.md', 'SCENARIOS.md'):
        check(ROOT / 'docs' / name in tables, f'docs/{name} has no generated table')
    done = subprocess.run([sys.executable, ROOT / 'tools/generated.py', '--check', LIESTEP, *tables], text=True,
                          capture_output=True)
    check(done.returncode == 0, done.stdout + done.stderr)


for test_name, test in sorted(globals().items()):
    if test_name.startswith('test_'):
        test()
print('\n'.join(failures))
sys.exit(f'{len(failures)} failures' if failures else 0)
