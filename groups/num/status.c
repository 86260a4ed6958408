/* SPDX-License-Identifier: MIT */
/* status.c: names and sentences of the status codes, from the one list in status.h; and the version of the library. */
#include <liestep/status.h>
#include <liestep/version.h>

const char *lie_status_text(lie_status status)
{
    switch (status) {
#define LIE_STATUS_TEXT(name, value, text)                                                                             \
    case name:                                                                                                         \
        return text;
        LIE_STATUS_LIST(LIE_STATUS_TEXT)
#undef LIE_STATUS_TEXT
    }
    return "not a status of this library";
}

const char *lie_status_name(lie_status status)
{
    switch (status) {
#define LIE_STATUS_NAME(name, value, text)                                                                             \
    case name:                                                                                                         \
        return #name;
        LIE_STATUS_LIST(LIE_STATUS_NAME)
#undef LIE_STATUS_NAME
    }
    return "LIE_UNKNOWN_STATUS";
}

const char *lie_version(void)
{
    return LIE_VERSION_STRING;
}

int lie_version_number(void)
{
    return LIE_VERSION_NUMBER;
}
