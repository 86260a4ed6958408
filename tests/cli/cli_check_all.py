#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`liestep check all` holds on these groups with each of their retractions, and leaves no method out that is for them.

    cli_check_all.py LIESTEP GROUP...      R stands for R1, R2, R3 and R6, product for some products
"""
import json
import subprocess
import sys

LIESTEP, GROUPS = sys.argv[1], sys.argv[2:]
PRODUCTS = (('SO3xR1', 'cay'), ('S3xR2', 'cayq'), ('R1xR2', 'exp'))


def listed(command):
    return json.loads(subprocess.run([LIESTEP, command, '--json'], check=True, text=True, capture_output=True).stdout)


def cases():
    """Group as the option takes it, its name in the lists, retraction."""
    for name, retraction in PRODUCTS if 'product' in GROUPS else ():
        yield name, 'product', retraction
    for group in listed('groups'):
        for name in ('R1', 'R2', 'R3', 'R6') if group['name'] == 'R' else (group['name'],):
            for retraction in group['retractions']:
                if group['name'] in GROUPS and (name in (group['name'], 'R2') or retraction == 'exp'):
                    yield name, group['name'], retraction


def main():
    methods, failures, count = listed('methods'), [], 0
    for name, group, retraction in cases():
        done = subprocess.run([LIESTEP, 'check', 'all', '-g', name, '-r', retraction, '--json'], text=True, capture_output=True)
        expected = [m['name'] for m in methods if not m['groups'] or group in m['groups'].split()]
        cards = json.loads(done.stdout)
        count += 1
        if [card['method'] for card in cards] != expected:
            failures.append(f'{name}/{retraction}: {sorted(set(expected) - {card["method"] for card in cards})} are missing')
        if done.returncode != 0 or done.stderr or not all(card['holds'] for card in cards):
            broken = [f'{card["method"]}: {claim}' for card in cards for claim in card['claims'] if not claim['holds']]
            failures.append(f'{name}/{retraction}: exit {done.returncode}: {done.stderr}{broken}')
    print('\n'.join(failures))
    print(f'{count} groups with their retractions')
    sys.exit(1 if failures or count == 0 else 0)


main()
