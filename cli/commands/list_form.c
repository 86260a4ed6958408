/* SPDX-License-Identifier: MIT */
/* list_form.c: the command line of what only lists; see list.h. */
#include "cli/commands/list.h"

const cli_option list_options[] = {
    {"json", 0, NULL, "write JSON"},
    {"markdown", 0, NULL, "write a Markdown table"},
    {0},
};

int list_form(int argc, char **argv)
{
    int form = LIST_TEXT;
    cli_arguments a = {argc, argv, .at = 1, .options = list_options};
    for (int k; (k = cli_next(&a)) != CLI_END;) {
        if (k == CLI_WRONG) return CLI_WRONG;
        if (k == CLI_OPERAND) {
            cli_error("%s takes no argument, but '%s' was given", argv[0], a.value);
            return CLI_WRONG;
        }
        form = k == 0 ? LIST_JSON : LIST_MARKDOWN;
    }
    return form;
}
