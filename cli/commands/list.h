/* SPDX-License-Identifier: MIT */
/* list.h: what the commands that list something share. */
#ifndef LIESTEP_CLI_LIST_H
#define LIESTEP_CLI_LIST_H

#include "cli/base/cli.h"

/* "SO(3)" for "SO3"; the name itself for a group without a title. */
const char *group_title(const char *group);

/* Which method to take: as text, and as the table of README. */
void guide_text(void);
void guide_markdown(void);

/* The table of docs/ENSEMBLES.md: what is stepped in lanes. */
void list_lanes(void);

/* For a command whose only arguments are --json and --markdown: which of the two, 0 for none, or CLI_WRONG. */
enum { LIST_TEXT = 0, LIST_JSON, LIST_MARKDOWN };
extern const cli_option list_options[];
int list_form(int argc, char **argv);

#endif
