#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`liestep check` confirms true claims and notices false ones: the program is linked again with a descriptor in which
claims have been changed.

    cli_check.py LIESTEP CC SOURCE_ROOT libliestep-core.a
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LIESTEP, CC, ROOT, LIBRARY = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4]
failures = []


def check(good, text):
    if not good:
        failures.append(text)


def run(program, *words):
    return subprocess.run([program, 'check', *words], text=True, capture_output=True)


def test_true_claims_hold():
    for words in (['ep', 'sv', 'gauss2', 've_bwd'], ['sv', '-r', 'cay', '-g', 'SE3'], ['midpoint', '-g', 'SO3', '-r', 'skew'],
                  ['sv_triple4', '-g', 'SE2', '-r', 'cay'], ['vprk', '-t', 'radau2a2', '-g', 'H'], ['ep', 'gauss3', '-g', 'R2']):
        done = run(LIESTEP, *words, '--json')
        check(done.returncode == 0 and not done.stderr, f'{words}: {done.stderr}')
        for method in json.loads(done.stdout):
            found = {claim['name']: claim['measured'] for claim in method['claims']}
            check(method['holds'] and all(claim['holds'] for claim in method['claims']), f'{words}: {method}')
            check(found['symplectic'] < 1e-10 and found['momentum'] < 1e-12, f'{words}: {found}')
            check(0 < method['seconds_per_step'] < 1e-2, f'{words}: {method["seconds_per_step"]} s per step')
            check(len(method['h']) == len(method['error']), f'{words}: as many errors as steps')


def test_flat_groups_are_judged_by_the_tableau():
    for tableau, symplectic, self_adjoint in (('gauss3', 'yes', 'yes'), ('radau2a3', 'no', 'no'), ('lobatto3a3', 'no', 'yes')):
        done = run(LIESTEP, 'rkmk', '-t', tableau, '-g', 'R2', '--json')
        found = {claim['name']: (claim['claimed'], claim['holds']) for claim in json.loads(done.stdout)[0]['claims']}
        check(done.returncode == 0 and found['symplectic'] == (symplectic, True) and found['momentum'] == ('yes', True)
              and found['self-adjoint'] == (self_adjoint, True), f'rkmk {tableau} on R2: {found}')


def test_what_people_read():
    done = run(LIESTEP, 'sv', '--retraction', 'cay', '--group', 'SE3')
    for text in ('sv on SE3 with cay', 'claimed', 'order          2          2.0', 'symplectic     yes', 'momentum       yes',
                 'self-adjoint   yes', 'cost per step', 'all claims hold'):
        check(text in done.stdout, f'"{text}" is missing in {done.stdout}')
    rows = run(LIESTEP, 'sv', 've_fwd').stdout
    check(re.search(r'^sv +2\.0\d+ \(2\) .*\(yes\).*\(yes\).*\(yes\)', rows, flags=re.M), rows)
    check(re.search(r'^ve_fwd +(0\.9|1\.0)\d+ \(1\) .*\(yes\).*\(yes\).*\(no\)', rows, flags=re.M), rows)


def test_wrong_words():
    cases = [([], 'which method'), (['gaus2'], "did you mean 'gauss2'"), (['sv', '-g', 'so3'], "did you mean 'SO3'"),
             (['sv', '-g', 'SE3', '-r', 'skew'], 'SE3 has: exp cay'), (['sv', '-g', 'R', '-r', 'cayq'], 'exp, cay and skew'),
             (['vprk', '-t', 'gaus2'], "did you mean 'gauss2'"), (['sv', '--grup', 'S3'], "did you mean '--group'"),
             (['sv', '-g', 'R7'], "unknown group 'R7'"), (['sv', '-g', 'S3xSE3'], 'too large: 6 dimensions'),
             (['sv', '-g', 'SO4xR3'], "did you mean 'SO3'"), (['sv', '-g', 'SE2xR2', '-r', 'skew'], 'SE2 has: exp cay')]
    for words, text in cases:
        done = run(LIESTEP, *words)
        check(done.returncode == 2 and text in done.stderr and not done.stdout, f'{words}: {done}')


LIAR = r"""
#include <stdlib.h>
#include <string.h>
#include "cli/base/cli.h"
#include "cli/commands/list.h"

/* of the full library */
void list_lanes(void)
{
}

lie_status __real_lie_method_find(const lie_method **out, const char *name);
lie_status __wrap_lie_method_find(const lie_method **out, const char *name);

/* A copy of the descriptor, with the fields that the environment gives other values. */
lie_status __wrap_lie_method_find(const lie_method **out, const char *name)
{
    static lie_method copy;
    lie_status status = __real_lie_method_find(out, name);
    const char *liar = getenv("LIAR");
    if (status != LIE_OK || !liar || strcmp(name, liar) != 0) return status;
    copy = **out;
#define FIELD(field, type) if (getenv(#field)) copy.field = (type)atoi(getenv(#field));
    FIELD(order, int) FIELD(order_exp, int) FIELD(symplectic, int) FIELD(momentum, int) FIELD(energy, int)
    FIELD(self_adjoint, lie_when) FIELD(explicit_, int)
    if (getenv("symplectic_on")) copy.symplectic_on = getenv("symplectic_on");
    *out = &copy;
    return status;
}
"""
NEVER, ALWAYS = '0', '2'


def link_liar(folder):
    """The program with LIAR; commands that are not needed are stubs."""
    needed = ('check', 'claims', 'cli', 'groups', 'json', 'list_form', 'main', 'measure', 'measure_model', 'methods', 'methods_guide', 'needs')
    stubs = set(re.findall(r'^COMMAND\((\w+)\)', (ROOT / 'cli/commands/commands.def').read_text(), flags=re.M)) - {'check', 'methods', 'groups'}
    (folder / 'liar.c').write_text(LIAR + ''.join(f'const cli_command command_{name} = {{.name = "{name}"}};\n'
                                                  for name in sorted(stubs)))
    sources = [next((ROOT / 'cli').rglob(f'{name}.c')) for name in needed]
    command = CC.split() + ['-std=c11', '-O1', '-ffp-contract=off', '-I', ROOT / 'include', '-I', ROOT,
                            '-Wl,--wrap=lie_method_find', '-o', folder / 'liestep', folder / 'liar.c', *sources, LIBRARY, '-lm']
    subprocess.run([str(word) for word in command], check=True)
    return folder / 'liestep'


def lie(liar, method, claims, *words):
    return subprocess.run([liar, 'check', method, *words], text=True, capture_output=True,
                          env=dict(os.environ, LIAR=method, **claims))


def test_false_claims_are_noticed():
    cases = (('ve_fwd', {'order': '2', 'order_exp': '2'}, [], {'order'}),
             ('sv', {'self_adjoint': NEVER}, [], {'self-adjoint'}),
             ('sv', {'energy': '1'}, [], {'energy'}),
             ('midpoint', {'order': '3', 'self_adjoint': ALWAYS}, [], set()),
             ('midpoint', {'order': '3', 'self_adjoint': ALWAYS}, ['-r', 'cay'], {'order', 'self-adjoint'}),
             ('ep', {'symplectic': '0'}, [], {'symplectic'}),
             ('ve_fwd', {'momentum': '0', 'self_adjoint': ALWAYS}, [], {'momentum', 'self-adjoint'}),
             ('lobatto3a3', {'momentum': '0', 'self_adjoint': NEVER}, [], {'momentum', 'self-adjoint'}),
             ('simo_wong', {'symplectic_on': 'R3 SO3/exp SO'}, ['-g', 'R2'], {'symplectic'}),
             ('simo_wong', {'symplectic_on': 'R SO3'}, ['-g', 'SO3'], {'symplectic'}),
             ('rkmk_gauss2', {'symplectic_on': 'R S3/cay'}, ['-g', 'S3'], set()),
             ('rkmk_gauss2', {'symplectic_on': 'R S3/cay'}, ['-g', 'S3', '-r', 'cay'], {'symplectic'}),
             ('rkmk_radau2a3', {'symplectic_on': 'R'}, ['-g', 'R2'], {'symplectic'}),
             ('ve_bwd', {'explicit_': '1'}, [], {'iterations'}))
    with tempfile.TemporaryDirectory() as name:
        liar = link_liar(pathlib.Path(name))
        for method, lies, words, claims in cases:
            done = lie(liar, method, lies, *words, '--json')
            broken = {claim['name'] for claim in json.loads(done.stdout)[0]['claims'] if not claim['holds']}
            check(done.returncode == (1 if claims else 0) and broken == claims, f'{method} {words}: {broken} for {claims}')
            check(('do not do what they claim' in done.stderr) == bool(claims), f'{method} {words}: {done.stderr}')
        done = lie(liar, 've_fwd', cases[0][1])
        check(done.returncode == 1 and re.search(r'order +2 +0\.99.*does not hold', done.stdout), done.stdout)
        done = lie(liar, 've_fwd', cases[0][1], 'lobatto3a2')
        check(done.returncode == 1 and '1 of 2 methods' in done.stderr and '!' in done.stdout, done.stdout)


for test_name, test in sorted(globals().items()):
    if test_name.startswith('test_'):
        test()
print('\n'.join(failures))
sys.exit(f'{len(failures)} failures' if failures else 0)
