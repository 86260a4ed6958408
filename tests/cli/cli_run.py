#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`liestep run` from outside: its files agree with each other, its summary tells the truth, it
refuses what it should.

    cli_run.py LIESTEP [NAME]     tests whose name contains NAME
"""
import ast
import calendar
import csv
import math
import os
import pathlib
import re
import resource
import shutil
import struct
import subprocess
import sys
import time

import cli_common as cli
from cli_common import finished

NAMES = tuple(name for name in cli.FILES if name != 'run.svg')


def read_csv(folder):
    """(comment lines, names, rows of doubles)"""
    lines = (pathlib.Path(folder) / 'run.csv').read_text().splitlines()
    comments = [line for line in lines if line.startswith('#')]
    names, *rows = list(csv.reader(line for line in lines if not line.startswith('#')))
    return comments, names, [[float(word) for word in row] for row in rows]


def read_npy(folder):
    """(description of the fields, rows of doubles) of a version 1.0 file."""
    data = (pathlib.Path(folder) / 'run.npy').read_bytes()
    cli.expect(data[:8] == b'\x93NUMPY\x01\x00', 'no .npy file')
    length = struct.unpack('<H', data[8:10])[0]
    cli.expect((10 + length) % 64 == 0 and data[9 + length:10 + length] == b'\n', 'header is not aligned')
    header = ast.literal_eval(data[10:10 + length].decode('ascii'))
    fields = [(entry[0], entry[2][0] if len(entry) > 2 else 1) for entry in header['descr']]
    width = sum(size for _, size in fields)
    rows = [list(row) for row in struct.iter_unpack(f'<{width}d', data[10 + length:])]
    cli.expect(header['shape'] == (len(rows),) and header['fortran_order'] is False, header)
    return fields, rows


def test_run_csv_names_units_and_digits(folder):
    finished(folder, '--no-plot')
    comments, names, rows = read_csv(folder)
    cli.expect(names == 't q0 q1 q2 q3 w1 w2 w3 m1 m2 m3 energy J1 J2 J3'.split(), names)
    units = comments[1].replace('# units: ', '').split(',')
    cli.expect(units == ['s'] + 4 * ['1'] + 3 * ['rad/s'] + 3 * ['N m s'] + ['J'] + 3 * ['N m s'], units)
    cli.expect('method sv, retraction cay' in comments[0] and '0.01' in comments[0], comments[0])
    text = (pathlib.Path(folder) / 'run.csv').read_text().splitlines()[-1].split(',')
    cli.expect(all('%.17g' % value == word for value, word in zip(rows[-1], text)), 'not 17 digits')


def test_run_records_every_first_and_last(folder):
    finished(folder, '--no-plot', '-s', 'steps=25')
    times = [row[0] for row in read_csv(folder)[2]]
    expected = [0.25, 0.35, 0.45, 0.50]
    cli.expect(len(times) == 4 and all(abs(a - b) < 1e-15 for a, b in zip(times, expected)), times)
    finished(folder, '--no-plot', '-s', 'steps=20')
    cli.expect(len(read_csv(folder)[2]) == 3, 'a record too many or too few')
    finished(folder, '--no-plot', '-s', 'steps=7')
    cli.expect(len(read_csv(folder)[2]) == 2, 'first and last')


def test_run_values_are_those_of_the_system(folder):
    """Momentum, energy and spatial momentum of the rows from attitude and rates, by the formulas."""
    finished(folder, '--no-plot')
    inertia, weight, centre = (1.1, 2.3, 2.9), 0.8 * 9.81, (0.3, -0.2, 1.0)
    for row in read_csv(folder)[2]:
        a, b, c, d = row[1:5]
        turn = ((a*a+b*b-c*c-d*d, 2*(b*c-a*d), 2*(b*d+a*c)), (2*(b*c+a*d), a*a-b*b+c*c-d*d, 2*(c*d-a*b)),
                (2*(b*d-a*c), 2*(c*d+a*b), a*a-b*b-c*c+d*d))
        rates, momentum = row[5:8], row[8:11]
        height = sum(x * y for x, y in zip(turn[2], centre))
        energy = sum(i * w * w for i, w in zip(inertia, rates)) / 2 + weight * height
        spatial = [sum(x * y for x, y in zip(line, momentum)) for line in turn]
        cli.expect(all(abs(i * w - m) < 1e-13 for i, w, m in zip(inertia, rates, momentum)), 'momentum', row)
        cli.expect(abs(energy - row[11]) < 1e-12, 'energy', energy, row[11])
        cli.expect(all(abs(x - y) < 1e-13 for x, y in zip(spatial, row[12:])), 'spatial momentum', spatial, row[12:])


def test_run_npy_equals_csv(folder):
    finished(folder, '--no-plot')
    fields, rows = read_npy(folder)
    cli.expect(fields == [('t', 1), ('g', 4), ('velocity', 3), ('momentum', 3), ('energy', 1), ('spatial_momentum', 3)],
               fields)
    cli.expect(rows == read_csv(folder)[2], 'the numbers differ')


def test_run_npy_is_read_by_numpy(folder):
    code = 'import numpy; a = numpy.load("run.npy"); print(a.shape[0], a["velocity"].shape, repr(float(a["g"][-1, 2])))'
    for python in (sys.executable, '/usr/bin/python3'):
        if subprocess.run([python, '-c', 'import numpy'], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            break
    else:
        raise cli.Skip('NumPy is not installed')
    finished(folder, '--no-plot')
    rows = read_csv(folder)[2]
    said = subprocess.run([python, '-c', code], cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout
    cli.expect(said == f'{len(rows)} ({len(rows)}, 3) {rows[-1][3]!r}\n', said)


def test_run_hdf5_equals_csv(folder):
    """Every dataset is stored as one piece: its bytes must be in the file; so must names, units and settings."""
    if not cli.has_hdf5():
        raise cli.Skip('built without HDF5')
    finished(folder, '--no-plot', '-s', 'steps=30000')
    rows = read_csv(folder)[2]
    cli.expect(len(rows) == 3001, 'several blocks of rows are needed')
    data = (pathlib.Path(folder) / 'run.h5').read_bytes()
    cli.expect(data[:8] == b'\x89HDF\r\n\x1a\n', 'no HDF5 file')
    for first, size in ((0, 1), (1, 4), (5, 3), (8, 3), (11, 1), (12, 3)):
        values = [value for row in rows for value in row[first:first + size]]
        cli.expect(struct.pack(f'<{len(values)}d', *values) in data, f'columns {first}.. are not there')
    for word in ('t', 'g', 'velocity', 'momentum', 'energy', 'spatial_momentum', 'heavy_top', 'S3', 'sv', 'cay',
                 'q0,q1,q2,q3', 'rad/s,rad/s,rad/s', 'step', 'retraction', 'method', 'units'):
        cli.expect(word.encode() + b'\0' in data, f'{word} is not in the file')


def test_run_hdf5_is_read_by_h5dump(folder):
    if not cli.has_hdf5() or not shutil.which('h5dump'):
        raise cli.Skip('h5dump (hdf5-tools) is not installed')
    finished(folder, '--no-plot')
    said = subprocess.run(['h5dump', '-d', '/velocity', '-m', '%.17g', 'run.h5'], cwd=folder, stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    data = said[said.index('DATA {'):said.index('}', said.index('DATA {'))]
    values = [float(word) for word in re.findall(r'[-+.\de]+(?=,|\n)', re.sub(r'\(\d+,\d+\):', '', data))]
    cli.expect(values == [value for row in read_csv(folder)[2] for value in row[5:8]], said[:300])


def test_run_aem_equals_csv(folder):
    finished(folder, '--no-plot', '-s', 'steps=300')
    lines = (pathlib.Path(folder) / 'run.aem').read_text().splitlines()
    cli.expect(lines[0] == 'CCSDS_AEM_VERS = 1.0' and lines[-1] == 'DATA_STOP', lines[0], lines[-1])
    keys = dict(line.split(' = ') for line in lines if ' = ' in line)
    for key, value in (('OBJECT_NAME', 'SAT'), ('ATTITUDE_DIR', 'A2B'), ('QUATERNION_TYPE', 'LAST'),
                       ('TIME_SYSTEM', 'UTC'), ('ATTITUDE_TYPE', 'QUATERNION'), ('REF_FRAME_B', 'SC_BODY_1')):
        cli.expect(keys[key] == value, key, keys[key])
    data = [line.split() for line in lines[lines.index('DATA_START') + 1:-1]]
    cli.expect(keys['START_TIME'] == data[0][0] and keys['STOP_TIME'] == data[-1][0], keys)
    cli.expect(data[-1][0] == '2028-01-01T00:00:01.250000000', data[-1][0])
    rows = read_csv(folder)[2]
    cli.expect(len(rows) == len(data), 'another number of rows')
    epoch = calendar.timegm((2027, 12, 31, 23, 59, 58))
    for row, (date, *numbers) in zip(rows, data):
        whole, fraction = date.split('.')
        seconds = calendar.timegm(time.strptime(whole, '%Y-%m-%dT%H:%M:%S')) - epoch + float('0.' + fraction)
        sign = -1.0 if row[1] < 0 else 1.0
        wanted = [sign * value for value in row[2:5] + row[1:2]]
        cli.expect(abs(seconds - row[0]) < 1e-9, date, row[0])
        cli.expect(all(abs(float(a) - b) < 1e-15 for a, b in zip(numbers, wanted)), numbers, wanted)


def test_run_matrix_group(folder):
    """SO3: nine numbers, orthogonal; the AEM is that of the run on S3 to round-off."""
    finished(folder, '--no-plot')
    first = (pathlib.Path(folder) / 'run.aem').read_text().splitlines()
    finished(folder, '--no-plot', text=cli.SCENARIO.replace('group: S3', 'group: SO3'))
    second = (pathlib.Path(folder) / 'run.aem').read_text().splitlines()
    _, names, rows = read_csv(folder)
    cli.expect(names[1:10] == [f'R{i}{j}' for i in '123' for j in '123'], names)
    cli.expect(abs(sum(x * x for x in rows[-1][1:4]) - 1.0) < 1e-14, rows[-1])
    for one, two in zip(first, second):
        if one.startswith('202'):
            pairs = list(zip(one.split()[1:], two.split()[1:]))
            cli.expect(all(abs(float(a) - float(b)) < 1e-12 for a, b in pairs), one, two)


def test_run_svg_plot(folder):
    if not shutil.which('gnuplot'):
        raise cli.Skip('gnuplot is not installed')
    finished(folder)
    text = (pathlib.Path(folder) / 'run.svg').read_text()
    cli.expect(text.rstrip().endswith('</svg>'), text[-100:])
    for word in ('attitude', 'angular velocity', 'energy error', 'momentum error', 'q3', 'w3', 'J3', 't [s]', 'rad/s',
                 'N m s', '>heavy_top on S3'):
        cli.expect(word in text, word, 'is not in the picture')
    cli.expect('>J1<' not in text, 'J1 is not conserved by a heavy top')


def test_run_png_plot(folder):
    if not shutil.which('gnuplot'):
        raise cli.Skip('gnuplot is not installed')
    finished(folder, '-s', 'output.plot=run.png')
    data = (pathlib.Path(folder) / 'run.png').read_bytes()
    cli.expect(data[:8] == b'\x89PNG\r\n\x1a\n' and len(data) > 10000, len(data))


def test_run_without_gnuplot(folder):
    """A warning, the other files, and the picture of an earlier run stays."""
    (pathlib.Path(folder) / 'run.svg').write_text('old')
    done = finished(folder, env={'PATH': folder})
    cli.expect('warning' in done.stderr and 'gnuplot' in done.stderr, done.stderr)
    cli.expect((pathlib.Path(folder) / 'run.svg').read_text() == 'old', 'the old picture is gone')
    cli.expect('run.svg' not in done.stdout, done.stdout)
    cli.expect((pathlib.Path(folder) / 'run.csv').exists(), 'no table')
    cli.expect_clean(folder)


def test_run_broken_gnuplot(folder):
    fake = pathlib.Path(folder) / 'gnuplot'
    fake.write_text('#!/bin/sh\necho "<svg>"\n')
    fake.chmod(0o755)
    done = finished(folder, env={'PATH': folder + ':' + os.environ['PATH']})
    cli.expect('no plot was made' in done.stderr, done.stderr)
    cli.expect(not (pathlib.Path(folder) / 'run.svg').exists(), 'half a picture')
    cli.expect_clean(folder)


def test_run_only_a_plot_or_hdf5(folder):
    """They need the rows of the run, which nobody asked for: nothing else is left."""
    text = re.sub(r'  (csv|npy|aem|object|epoch): .*\n', '', cli.SCENARIO)
    finished(folder, text=text)
    wanted = {'run.yaml', 'run.h5'} if cli.has_hdf5() else {'run.yaml'}
    cli.expect(set(os.listdir(folder)) - {'run.svg'} == wanted, os.listdir(folder))


def test_run_summary(folder):
    """What is conserved, and to what; for systems with other symmetries too."""
    text = finished(folder).stdout
    energy = re.search(r'^ +energy +J +(\S+) +(\S+) +(\S+) +(\S+)$', text, flags=re.M)
    momentum = re.search(r'^ +J3 +N m s +(\S+) +(\S+) +(\S+) +(\S+)$', text, flags=re.M)
    rows = read_csv(folder)[2]
    cli.expect(energy and momentum and 'not conserved by this system: J1, J2' in text, text)
    worst = max(abs(row[11] - rows[0][11]) for row in rows)
    cli.expect(math.isclose(float(energy.group(2)), worst, rel_tol=0.01), 'energy error', energy.group(2), worst)
    cli.expect(math.isclose(float(energy.group(3)), rows[-1][11] - rows[0][11], rel_tol=0.01), 'final energy error')
    cli.expect(abs(float(momentum.group(2))) < 1e-13, 'momentum error', momentum.group(2))
    cli.expect(re.search(r'^ +steps +203, t = 0.25 to 2.28 s, 22 records$', text, flags=re.M), text)
    cli.expect(re.search(r'iterations per step: mean \d\.\d\d, max \d+; largest residual \d', text), text)
    cli.expect(re.search(r'per step', text) and re.search(r'wrote +\./run\.csv \(\d', text), text)


def conserved(folder, text):
    """Names in the table of conserved quantities."""
    said = finished(folder, '--no-plot', text=text).stdout
    return re.findall(r'^ +(energy|\(energy\)|J\d) ', said, flags=re.M)


def test_run_finds_what_is_conserved(folder):
    head = 'step: 0.01\nsteps: 10\noutput: {every: 5}\nmethod: sv\n'
    start = 'start: {angular_velocity: [0.7, 0.9, -0.6]}\n'
    body = 'system: free_body\nparameters: {inertia: [1.1, 2.3, 2.9]}\n'
    cli.expect(conserved(folder, head + start + body) == ['energy', 'J1', 'J2', 'J3'], 'free body')
    satellite = 'system: satellite\nparameters: {inertia: [1.1, 2.3, 2.9], orbit_rate: 0.3}\n'
    cli.expect(conserved(folder, head + start + satellite) == ['energy'], 'satellite')
    vehicle = ('system: vehicle\nparameters: {inertia: [1.1, 2.3, 2.9, 5, 6, 7], weight_at: [0, 0, -1], weight: 9, '
               'buoyancy: %s%s}\n')
    moving = 'start: {angular_velocity: [0.7, 0.9, -0.6], velocity: [0.3, 0.2, 0.1]}\n'
    cli.expect(conserved(folder, head + moving + vehicle % (9, '')) == ['energy', 'J3', 'J4', 'J5', 'J6'], 'vehicle')
    cli.expect(conserved(folder, head + moving + vehicle % (10, '')) == ['energy', 'J3', 'J4', 'J5'], 'rising vehicle')
    drag = ', linear_drag: [1, 1, 1, 1, 1, 1]'
    cli.expect(conserved(folder, head + moving + vehicle % (9, drag)) == ['(energy)'], 'vehicle with drag')
    orbit = 'start: {position: [7e6, 0, 0], velocity: [0, 7500, 0], angular_velocity: [0.1, 0.2, 0.3]}\n'
    orbiter = 'system: orbiter\nretraction: exp\nparameters: {inertia: [1.1, 2.3, 2.9], mass: 50}\n'
    cli.expect(conserved(folder, head + orbit + orbiter) == ['energy', 'J1', 'J2', 'J3'], 'orbiter')


def test_run_quiet_is_silent(folder):
    done = finished(folder, '--quiet', '--no-plot')
    cli.expect(done.stdout == '' and done.stderr == '', done.stdout, done.stderr)


def test_run_twice_gives_the_same_bytes(folder):
    finished(folder)
    first = cli.content(folder)
    time.sleep(1.1)  # no time of day may get into a file
    finished(folder)
    cli.expect_same(cli.content(folder), first)


def test_run_every_does_not_change_the_motion(folder):
    """Where chunks and records end has no influence on the bits."""
    finished(folder, '--no-plot', '-s', 'output.every=1')
    all_rows = read_csv(folder)[2]
    finished(folder, '--no-plot', '-s', 'output.every=29')
    some = read_csv(folder)[2]
    cli.expect(some == all_rows[::29], 'the rows differ')


def last_row(folder, *words):
    """The numbers of the last record, and what the summary says."""
    done = finished(folder, '--no-plot', *words)
    rows = [line for line in (pathlib.Path(folder) / 'run.csv').read_text().split('\n') if line[:1].isdigit()]
    return [float(x) for x in rows[-1].split(',')], done


def test_run_with_a_tolerance(folder):
    """Records stay where they were, errors follow the tolerance; the truth is from a method with nothing in common."""
    true, _ = last_row(folder, '-s', 'method=gauss4')
    errors = []
    for tolerance in ('1e-5', '1e-8', '1e-11'):
        row, done = last_row(folder, '-s', 'method=rkmk_dopri5', '-s', f'tolerance={tolerance}', '-s', 'step=0.29',
                             '-s', 'steps=7')
        cli.expect(row[0] == 2.28, row[0])
        errors.append(max(abs(a - b) for a, b in zip(row, true)))
        taken = re.search(r'control +(\d+) steps between the states', done.stdout)
        cli.expect(taken and int(taken[1]) >= 7, done.stdout)
    cli.expect(1e-9 < errors[0] < 1e-3 and errors[1] < errors[0] / 100 and errors[2] < 1e-9, errors)
    for command in ('section', 'ensemble', 'control'):
        done = subprocess.run([cli.program(), command, 'run.yaml', '-s', 'method=rkmk_dopri5', '-s', 'tolerance=1e-8',
                               '-s', 'section={surface: m1, x: m2, y: m3}'], cwd=folder, capture_output=True, text=True,
                              check=False)
        cli.expect_exit(done, cli.SCENARIO_WRONG)
        cli.expect('takes steps of one length' in done.stderr, done.stderr)


def test_run_with_a_series(folder):
    """The series of dexp^-1 cut after one term is another method, after 20 it is the closed form."""
    rows = [last_row(folder, '-s', 'method=rkmk4', '-s', 'retraction=exp', *words)[0]
            for words in ((), ('-s', 'terms=1'), ('-s', 'terms=20'))]
    apart = [max(abs(a - b) for a, b in zip(rows[0], row)) for row in rows]
    cli.expect(1e-9 < apart[1] < 1e-2 and apart[2] < 1e-13, apart)


def test_run_failing_step_keeps_earlier_files(folder):
    finished(folder, '--no-plot')
    before = cli.content(folder, NAMES)
    text = cli.SCENARIO.replace('step: 0.01', 'step: 3.0').replace('method: sv', 'method: gauss2')
    cli.write_scenario(folder, text)
    done = cli.run(folder, '-s', 'max_iterations=2', '--no-plot')
    cli.expect_exit(done, cli.FAILED)
    cli.expect(re.search(r'step \d+ of 203, from t = \S+ s, failed: .*shorter step', done.stderr), done.stderr)
    cli.expect('run.csv.part' in done.stderr, done.stderr)
    cli.expect_same(cli.content(folder, NAMES), before)
    part = (pathlib.Path(folder) / 'run.aem.part').read_text()
    cli.expect(part.endswith('DATA_STOP\n'), 'the attitude file has no end')


def test_run_refuses_symbolic_links(folder):
    outside = pathlib.Path(folder) / 'precious'
    outside.write_text('precious')
    for name in ('run.csv', 'run.csv.part', 'run.h5', 'run.svg.part', 'run.checkpoint', 'run.checkpoint.part'):
        here = pathlib.Path(folder) / ('for-' + name)
        here.mkdir()
        cli.write_scenario(here)
        (here / name).symlink_to(outside)
        done = cli.run(here)
        if name.startswith('run.h5') and not cli.has_hdf5():
            continue
        cli.expect_exit(done, cli.OUTPUT)
        cli.expect('symbolic link' in done.stderr, name, done.stderr)
        cli.expect(outside.read_text() == 'precious' and (here / name).is_symlink(), name, 'was followed')


def test_run_does_not_write_through_hard_links(folder):
    outside = pathlib.Path(folder) / 'precious'
    outside.write_text('precious')
    os.link(outside, os.path.join(folder, 'run.csv.part'))
    os.link(outside, os.path.join(folder, 'run.csv'))
    finished(folder, '--no-plot')
    cli.expect(outside.read_text() == 'precious', 'the other name shows the new file')
    cli.expect(len(read_csv(folder)[2]) == 22, 'no result')


def test_run_refuses_other_kinds_of_files(folder):
    for make, remove in ((os.mkdir, os.rmdir), (os.mkfifo, os.remove)):
        cli.write_scenario(folder)
        make(os.path.join(folder, 'run.npy'))
        done = cli.run(folder, '--no-plot')
        cli.expect_exit(done, cli.OUTPUT)
        cli.expect('run.npy is a' in done.stderr, done.stderr)
        remove(os.path.join(folder, 'run.npy'))


def test_run_names_that_collide(folder):
    cli.write_scenario(folder)
    for option in ('output.csv=run.npy', 'output.csv=run.npy.part', 'output.npy=run.checkpoint.1'):
        done = cli.run(folder, '-s', option, '--no-plot')
        cli.expect(done.returncode == cli.SCENARIO_WRONG, option, done.returncode, done.stderr)


def test_run_memory_does_not_grow(folder):
    """Ten times the records, the same memory."""
    cli.write_scenario(folder)
    peaks = []
    for steps in (10000, 100000):
        words = cli.command('-s', f'steps={steps}', '-s', 'output.every=1', '--no-plot', '--quiet')
        pid = os.fork()
        if pid == 0:
            os.chdir(folder)
            os.execv(words[0], words)
        _, status, usage = os.wait4(pid, 0)
        cli.expect(status == 0, status)
        peaks.append(usage.ru_maxrss)
    cli.expect(peaks[1] < peaks[0] + 2000, 'kB:', peaks)


def test_run_many_records_are_warned_of(folder):
    cli.write_scenario(folder)
    done = cli.run(folder, '-s', 'steps=100000000', '-s', 'output.every=1', '--no-plot',
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000)))
    cli.expect('warning' in done.stderr and 'output.every' in done.stderr, done.stderr)


def test_run_usage(folder):
    cli.write_scenario(folder)
    for words in (['--frobnicate'], ['other.yaml'], ['--resume', '--restart']):
        done = cli.run(folder, *words)
        cli.expect(done.returncode == cli.USAGE and done.stderr.startswith('liestep: '), words, done.stderr)
    done = subprocess.run([cli.program(), 'run'], capture_output=True, text=True, check=False)
    cli.expect(done.returncode == cli.USAGE and 'SCENARIO.yaml' in done.stderr, done.stderr)
    done = subprocess.run([cli.program(), 'run', '--print-defaults'], stdout=subprocess.PIPE, text=True, check=True)
    cli.expect('system:' in done.stdout, done.stdout)
    done = cli.run(folder, '-s', 'output.directory=nowhere')
    cli.expect(done.returncode in (cli.OUTPUT, cli.SCENARIO_WRONG) and 'nowhere' in done.stderr, done.stderr)


if __name__ == '__main__':
    cli.main(sys.modules[__name__])
