#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench_suite.py: `liestep bench` on every problem of scenarios/bench, and the section of docs/BENCHMARKS.md from it.

    tools/bench_suite.py BUILD [--quick | --short] [--only TEXT] [--report-only]

Results (tables, CSV, JSON, pictures) go to BUILD/bench-results. Without --quick and --only the section between the
markers in docs/BENCHMARKS.md is written anew, and some pictures go to docs/img, if all peers were there. --report-only
writes the section from the results that are there. --short: shorter runs, and long runs of a tenth: ten minutes in
place of twenty.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / 'docs/BENCHMARKS.md'
BEGIN, END = '<!-- measured: make bench -->', '<!-- end measured -->'
TIMES = '30,3000'
PEERS = ('GSL', 'SUNDIALS', 'Boost.odeint')
# Programs whose tables stand in a page, between <!-- measured: PROGRAM --> and <!-- end measured: PROGRAM -->; the page
# is left alone if the output does not begin with the word given.
TABLES = {'bench_engine': ('docs/ENGINES.md', 'MuJoCo'), 'bench_pairs': ('docs/BENCHMARKS.md', '')}
# What a problem is called, and whether the long run is made.
PROBLEMS = {
    'free_body_1': ('free body, Hairer & Vilmart 1', True),
    'free_body_2': ('free body, Hairer & Vilmart 2', False),
    'heavy_top_bruels': ('heavy top, Brüls', False),
    'heavy_top': ('heavy top, asymmetric', True),
    'satellite': ('satellite, gravity gradient', True),
    'vehicle_diagonal': ('vehicle, diagonal', False),
    'vehicle_dense': ('vehicle, dense', True),
    'vehicle_drag': ('vehicle with drag', False),
    'particle': ('particle, flat', True),
    'particle_drag': ('particle with drag', False),
    'vehicle_chaotic': ('vehicle, chaotic', True),
}
PICTURES = ('free_body_1-precision', 'free_body_1-drift', 'heavy_top-precision', 'satellite-precision',
            'vehicle_dense-precision', 'vehicle_chaotic-drift')

# The picture of docs/METHODS.md, "Gauss in the embedding": who is drawn there, on the heavy top.
GAUSS = ('gauss2', 'gauss4', 'gauss8', 'pirk16', 'split4', 'split6', 'rk4')
GAUSS_PEERS = {'GSL': ('gsl_rk8pd_fixed', 'gsl_rk8pd'), 'SUNDIALS': ('cvode_adams', 'arkode_erk8')}


def run(build, results, name, quick, short):
    """One problem: its table to the terminal and to a file, the rest to files."""
    command = [build / 'cli/liestep', 'bench', f'scenarios/bench/{name}.yaml', '--at', TIMES, '-o', results / name]
    if quick:
        command.append('--quick')
    if not PROBLEMS[name][1]:
        command += ['--drift', '0']
    elif not quick:
        command += ['--drift-limit', '0.1' if short else '1']  # s a method; a tenth of the steps at least
    if short:
        command += ['--limit', '0.04']
    done = subprocess.run([str(word) for word in command], cwd=ROOT, text=True, stdout=subprocess.PIPE, check=False)
    print(done.stdout, flush=True)
    if done.returncode != 0:
        sys.exit(f'bench_suite.py: liestep bench failed on {name}')
    (results / f'{name}.txt').write_text(done.stdout)


def number(value, digits=3):
    """A few digits, or a dash."""
    return '–' if value is None else f'{value:.{digits}g}'


def judged(ratio, target, ours, theirs):
    """met or MISSED, or why neither."""
    if target is None:
        return ''
    if ratio is None:
        return '**MISSED**: not reached' if theirs else 'met: others do not reach it' if ours else '–'
    return 'met' if ratio <= target else '**MISSED**'


def verdict(row):
    """That of a row of equal errors."""
    return judged(row['ratio'], row['target'], row['liestep'], row['other'])


def bound(target):
    return '' if target is None else f'≤ {target:g}'


def ratio_table(reports):
    """Best against best at equal error."""
    lines = ['| problem | t [s] | error | liestep | µs/s | others | µs/s | ratio | target | |',
             '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |']
    for name, report in reports.items():
        for row in report['equal_error']:
            ours, theirs = row['liestep_ns_per_s'], row['other_ns_per_s']
            target = bound(row['target'])
            lines.append(f'| {PROBLEMS[name][0]} | {row["t"]:g} | {row["error"]:.0e} | {code(row["liestep"])} | '
                         f'{number(ours and ours / 1e3)} | {code(row["other"])} | {number(theirs and theirs / 1e3)} | '
                         f'{number(row["ratio"])} | {target} | {verdict(row)} |')
    return lines


def structure_table(reports):
    """What it costs to be symplectic and to keep momentum, and how many targets were missed."""
    lines = ['| problem | t [s] | error | keeps both | µs/s | best of all others | ratio | target | | '
             'of `sv_kahanli8`, `split4`, `split6` | ratio | target | |', '| --- ' * 13 + '|']
    all_verdicts = []
    for name, report in reports.items():
        for row in report.get('structure', []):
            if row['target'] is None:
                continue
            verdicts = [judged(row['ratio'], row['target'], row['keeps'], row['other']),
                        judged(row['ratio_former'], row['target_former'], row['keeps'], row['former'])]
            all_verdicts += verdicts
            price = row['keeps_ns_per_s']
            lines.append(f'| {PROBLEMS[name][0]} | {row["t"]:g} | {row["error"]:.0e} | {code(row["keeps"])} | '
                         f'{number(price and price / 1e3)} | {code(row["other"])} | {number(row["ratio"])} | '
                         f'{bound(row["target"])} | {verdicts[0]} | {code(row["former"])} | '
                         f'{number(row["ratio_former"])} | {bound(row["target_former"])} | {verdicts[1]} |')
    missed = sum('MISSED' in text for text in all_verdicts)
    return lines + ['', f'{missed} of {len(all_verdicts)} missed.']


def code(name):
    return f'`{name}`' if name else 'nobody'


def in_words(reports):
    """A sentence per problem and time."""
    lines = []
    for name, report in reports.items():
        for t in sorted({row['t'] for row in report['equal_error']}):
            rows = [row for row in report['equal_error'] if row['t'] == t]
            lost = [row for row in rows if row['ratio'] and row['ratio'] > 1]
            out = [row for row in rows if row['other'] and not row['liestep']]
            won = [row for row in rows if (row['ratio'] and row['ratio'] <= 1) or (row['liestep'] and not row['other'])]
            text = f'- **{PROBLEMS[name][0]}, t = {t:g} s**: '
            parts = []
            if lost:
                ratios = [row['ratio'] for row in lost]
                winners = ', '.join(sorted({code(row['other']) for row in lost}))
                span = f'{min(ratios):.2g}' if len(ratios) == 1 else f'{min(ratios):.2g} to {max(ratios):.2g}'
                parts.append(f'liestep loses at {levels(lost)}: its best costs {span} times as much as {winners}')
            if out:
                parts.append(f'liestep does not reach {levels(out)} within the limit, {code(out[0]["other"])} does')
            if won:
                parts.append(f'liestep is ahead at {levels(won)}, with '
                             + ', '.join(sorted({code(row["liestep"]) for row in won})))
            lines.append(text + ('; '.join(parts) or 'nobody reaches any of the errors') + '.')
    return lines


def levels(rows):
    return ', '.join(f'{row["error"]:.0e}' for row in rows)


def orbit_table(reports):
    """Reference and regularity."""
    lines = ['| problem | reference: H and 2 H differ, at 30 s / 3000 s | a small error has grown, by 30 s / 3000 s | '
             'like | orbit |', '| --- | --- | --- | --- | --- |']
    for name, report in reports.items():
        times, exponent = report['reference']['times'], report['reference']['growth_exponent']
        lines.append(f'| {PROBLEMS[name][0]} | ' + ' / '.join(number(t['check'], 2) for t in times) + ' | '
                     + ' / '.join(number(t['growth'], 2) for t in times)
                     + f' | {"e^t" if exponent is None else f"t^{exponent:.2f}"} | '
                     + ('regular' if times[-1]['pointwise'] else '**chaotic**: invariants only') + ' |')
    return lines


def drift_table(reports):
    """Claims held and broken; and who is found to drift."""
    lines = ['| problem | no drift of the energy: claimed, held | the longest error bar | exact energy or momentum: '
             'claimed, held | the largest error | no claim: drift in energy | RK4: rise of the energy |',
             '| --- | --- | --- | --- | --- | --- | --- |']
    broken, short, fine = [], [], []
    for name, report in reports.items():
        runs = [(m['method'], m['drift']) for m in report['methods']
                if m.get('drift', {}).get('status') == 'LIE_OK']
        if not runs:
            continue
        claims = [(method, d, what) for method, d in runs for what in ('energy', 'momentum') if d[f'{what}_claim']]
        bounded = [c for c in claims if c[2] == 'energy' and not c[1]['energy_exact']]
        exact = [c for c in claims if c not in bounded]
        free = [d for _, d in runs if not d['energy_claim'] and d['energy_max'] is not None]
        broken += [f'`{m}` on {PROBLEMS[name][0]} ({w}: {number(d[w + "_max"], 2)} over {d["steps"]:,} steps)'
                   for m, d, w in claims if d[f'{w}_claim'] == 'broken']
        short += [d['steps'] for _, d in runs if d['steps'] < 1000000]
        fine += [f'`{m}` on {PROBLEMS[name][0]} ({number(d["energy_rise"], 2)})' for m, d in runs
                 if d in free and not d['energy_drifts']]
        rk4 = next((d for method, d in runs if method == 'rk4'), None)
        bar = max((4 * d['energy_rise_error'] for _, d, _ in bounded), default=None)
        worst = max((d[f'{what}_max'] for _, d, what in exact), default=None)
        rise = f'{number(rk4["energy_rise"], 2)} ± {number(4 * rk4["energy_rise_error"], 2)}' if rk4 else '–'
        lines.append(f'| {PROBLEMS[name][0]} | {tally(bounded)} | {number(bar, 2)} | {tally(exact)} | '
                     f'{number(worst, 2)} | {sum(d["energy_drifts"] for d in free)} of {len(free)} | {rise} |')
    lines += ['', 'Claims that did not hold: ' + ('; '.join(broken) if broken else 'none') + '.']
    lines += ['No claim, and no drift found: ' + ('; '.join(fine) if fine else 'none') + '.']
    if short:
        lines += [f'{len(short)} runs had fewer than a million steps, none fewer than {min(short):,}.']
    return lines


def tally(claims):
    """Of (method, drift, what), how many held."""
    held = sum(d[f'{what}_claim'] == 'held' for _, d, what in claims)
    return f'{len(claims)}, {"all" if held == len(claims) else held}' if claims else '–'


def libraries_of(reports):
    return sorted({m['library'] for report in reports.values() for m in report['methods']} - {'liestep'})


def section(reports):
    processor = next(iter(reports.values()))['processor']
    lines = [BEGIN, f'Processor: {processor}. Beside liestep: {", ".join(libraries_of(reports))}.', '',
             '### At equal error', '', *ratio_table(reports), '',
             '### Where liestep loses, and where not', '', *in_words(reports), '',
             '### The price of structure', '', *structure_table(reports), '']
    lines += ['### Pictures', '']
    for name in PICTURES:
        problem, kind = name.rsplit('-', 1)
        if (ROOT / f'docs/img/bench_{name}.svg').exists():
            what = 'what precision costs' if kind == 'precision' else 'errors of energy and momentum over a long run'
            lines += [f'![{PROBLEMS[problem][0]}: {what}](img/bench_{name}.svg)', '']
    lines += ['### The problems and their reference', '', *orbit_table(reports), '',
              '### Drift over a million steps of 0.05 s', '', *drift_table(reports), END]
    return '\n'.join(lines)


def write_document(results):
    reports = {name: json.loads((results / f'{name}.json').read_text()) for name in PROBLEMS
               if (results / f'{name}.json').exists()}
    missing = [peer for peer in PEERS if not any(library.startswith(peer) for library in libraries_of(reports))]
    if missing:
        print(f'{DOCUMENT.relative_to(ROOT)} stays as it is: {", ".join(missing)} took no part')
        return
    for name in PICTURES:
        if (results / f'{name}.svg').exists():
            shutil.copy(results / f'{name}.svg', ROOT / f'docs/img/bench_{name}.svg')
    text = DOCUMENT.read_text()
    if BEGIN not in text or END not in text:
        sys.exit(f'bench_suite.py: no markers {BEGIN} in {DOCUMENT}')
    head, rest = text.split(BEGIN)
    DOCUMENT.write_text(head + section(reports) + rest.split(END)[1])
    print(f'written: {DOCUMENT.relative_to(ROOT)}, section "At equal error"')


def draw_gauss(build, results, quick):
    """Work and precision of Gauss methods beside others; into docs/img if all peers are there."""
    bench = [str(build / 'cli/liestep'), 'bench', 'scenarios/bench/heavy_top.yaml', '--drift', '0']
    known = subprocess.run([*bench, '-m', 'all', '--steps', '3', '--at', '3', '--json'], cwd=ROOT, text=True,
                           check=True, stdout=subprocess.PIPE).stdout
    there = {m['library'].split()[0] for m in json.loads(known)['methods']}
    peers = [name for library, names in GAUSS_PEERS.items() if library in there for name in names]
    subprocess.run([*bench, '--at', TIMES, '-m', ','.join((*GAUSS, *peers)), '-o', str(results / 'gauss'),
                    *(['--quick'] if quick else [])], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    picture = results / 'gauss-precision.svg'
    if not quick and len(peers) == 4 and picture.exists():
        shutil.copy(picture, ROOT / 'docs/img/gauss.svg')
        print('written: docs/img/gauss.svg')


def run_table(build, results, name, quick):
    """One of TABLES: its output to the terminal, to a file and, if not quick, to its page."""
    page, first = ROOT / TABLES[name][0], TABLES[name][1]
    if not (build / 'bench' / name).exists():
        print(f'{name} was not built')
        return
    words = ['--quick'] if quick else ['--markdown']
    if name == 'bench_engine':
        words += ['--csv', str(results / 'engines.csv')]
    done = subprocess.run([str(build / 'bench' / name), *words], text=True, stdout=subprocess.PIPE, check=True)
    print(done.stdout, flush=True)
    (results / f'{name}.txt').write_text(done.stdout)
    if quick or not done.stdout.startswith(first):
        return
    begin, end = f'<!-- measured: {name} -->\n', f'<!-- end measured: {name} -->\n'
    head, rest = page.read_text().split(begin)
    page.write_text(head + begin + done.stdout.strip() + '\n' + end + rest.split(end)[1])
    if name == 'bench_engine':
        picture = ROOT / 'docs/img/engines.svg'
        subprocess.run([ROOT / 'tools/plot_engines.py', results / 'engines.csv', picture], check=True)


def main(arguments):
    words = [word for word in arguments if not word.startswith('--')]
    if not words or '--help' in arguments:
        sys.exit(__doc__)
    build, quick, only = pathlib.Path(words[0]).resolve(), '--quick' in arguments, ''
    if '--only' in arguments:
        only = arguments[arguments.index('--only') + 1]
    results = build / 'bench-results'
    results.mkdir(exist_ok=True)
    began = time.monotonic()
    for name in PROBLEMS:
        if only in name and '--report-only' not in arguments:
            run(build, results, name, quick, '--short' in arguments)
    if (only in 'gauss' or quick) and '--report-only' not in arguments:
        draw_gauss(build, results, quick)
    for name in TABLES:
        if (only in name or quick) and '--report-only' not in arguments:
            run_table(build, results, name, quick)
    if not quick and not only:
        write_document(results)
    print(f'{time.monotonic() - began:.0f} s; all results are in {results}')


main(sys.argv[1:])
