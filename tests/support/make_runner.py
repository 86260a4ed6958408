#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write the main() of a Unity test program: every `void test_...(void)` in the source is run, none is listed by hand.

    make_runner.py tests/groups/test_so3.c runner_so3.c

The program runs all its tests, or those whose name contains its first argument.
"""
import os
import re
import sys

TEMPLATE = """\
/* Generated from {source} by make_runner.py. */
#include <stdio.h>
#include <string.h>

#include "unity.h"

{prototypes}
{hooks}
static const struct {{
    void (*run)(void);
    const char *name;
    int line;
}} tests[] = {{
{table}
}};

int main(int argc, char **argv)
{{
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* what was printed before a crash is not lost */
    UnityBegin("tests/{source}");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        if (argc < 2 || strstr(tests[i].name, argv[1]))
            UnityDefaultTestRun(tests[i].run, tests[i].name, tests[i].line);
    return UnityEnd() == 0 ? 0 : 1;
}}
"""


def without_comments(text):
    """The text with comments blanked, line numbers kept."""
    return re.sub(r'/\*.*?\*/|//[^\n]*', lambda m: re.sub(r'[^\n]', ' ', m.group()), text, flags=re.S)


def main():
    path, out = sys.argv[1:]
    text = without_comments(open(path).read())
    tests = [(m.group(1), text.count('\n', 0, m.start()) + 1)
             for m in re.finditer(r'^void\s+(test_\w+)\s*\(\s*void\s*\)\s*\{', text, re.M)]
    names = {name for name, _ in tests}
    looks_like = set(re.findall(r'^[\w\s]*\b(test_\w+)\s*\([^;{]*\)\s*\{', text, re.M))
    if looks_like - names:
        sys.exit(f'{path}: not of the form void test_...(void): {", ".join(sorted(looks_like - names))}')
    if not tests:
        sys.exit(f'{path}: no test in it')
    hooks = [f'void {hook}(void)\n{{\n}}\n' for hook in ('setUp', 'tearDown')
             if not re.search(rf'^void\s+{hook}\s*\(', text, re.M)]
    with open(out, 'w') as f:
        f.write(TEMPLATE.format(
            source=os.path.basename(path),
            prototypes='\n'.join(f'void {name}(void);' for name, _ in tests),
            hooks='\n'.join(hooks),
            table='\n'.join(f'    {{{name}, "{name}", {line}}},' for name, line in tests)))


main()
