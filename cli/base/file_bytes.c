/* SPDX-License-Identifier: MIT */
/* file_bytes.c: checksums of files, and numbers in them; see file.h. */
#include <string.h>

#include "cli/base/file.h"

/* Tables of the CRC of a byte that k more bytes follow; sixteen bytes are looked up at once. */
enum { AT_ONCE = 16 };
static unsigned long long crc_table[AT_ONCE][256];

static void crc_prepare(void)
{
    for (unsigned i = 256; i-- > 0;) {
        unsigned long long c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? (c >> 1) ^ 0xC96C5795D7870F42u : c >> 1;
        crc_table[0][i] = c;
    }
    for (int k = 1; k < AT_ONCE; k++)
        for (unsigned i = 256; i-- > 0;)
            crc_table[k][i] = crc_table[0][crc_table[k - 1][i] & 0xFF] ^ (crc_table[k - 1][i] >> 8);
}

unsigned long long file_crc(unsigned long long crc, const void *bytes, size_t n)
{
    const unsigned char *p = (const unsigned char *)bytes;
    if (crc_table[AT_ONCE - 1][1] == 0) crc_prepare();
    crc = ~crc;
    for (; n >= AT_ONCE; n -= AT_ONCE, p += AT_ONCE) {
        unsigned long long near = 0, far = 0;
        for (int i = 0; i < 8; i++) near ^= crc_table[AT_ONCE - 1 - i][(crc >> 8 * i ^ p[i]) & 0xFF];
        for (int i = 8; i < AT_ONCE; i++) far ^= crc_table[AT_ONCE - 1 - i][p[i]];
        crc = near ^ far;
    }
    for (; n > 0; n--, p++) crc = crc_table[0][(crc ^ *p) & 0xFF] ^ (crc >> 8);
    return ~crc;
}

/* Is a number in memory as it is in a file? */
static int is_little_endian(void)
{
    const unsigned one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

void file_pack(unsigned char *out, const double *x, size_t n)
{
    if (is_little_endian()) {
        memcpy(out, x, 8 * n);
        return;
    }
    for (size_t k = 0; k < n; k++) {
        unsigned long long bits;
        memcpy(&bits, &x[k], sizeof bits);
        for (int i = 0; i < 8; i++) out[8 * k + (size_t)i] = (unsigned char)(bits >> 8 * i);
    }
}

void file_unpack(double *x, const unsigned char *in, size_t n)
{
    if (is_little_endian()) {
        memmove(x, in, 8 * n);
        return;
    }
    for (size_t k = 0; k < n; k++) {
        unsigned long long bits = 0;
        for (int i = 0; i < 8; i++) bits |= (unsigned long long)in[8 * k + (size_t)i] << 8 * i;
        memcpy(&x[k], &bits, sizeof bits);
    }
}
