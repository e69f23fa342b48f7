#include "@name@.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A port: its place in the struct of its direction, and its lowest bit in a row. */
typedef struct {
    const char *name;
    unsigned width;
    size_t at;
    unsigned low;
} Port;

#define INPUT(port) (offsetof(@name@_inputs, port) / sizeof(uint64_t))
#define OUTPUT(port) (offsetof(@name@_outputs, port) / sizeof(uint64_t))
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static @name@ model;
static union {
    @name@_inputs ports;
    uint64_t limbs[sizeof(@name@_inputs) / sizeof(uint64_t)];
} in;
static union {
    @name@_outputs ports;
    uint64_t limbs[sizeof(@name@_outputs) / sizeof(uint64_t)];
} out;

/* A file of rows: on each line a number of so many bits, in hexadecimal. */
typedef struct {
    const char *name;
    unsigned rows;
    unsigned bits;
    uint64_t *limbs;
} File;

/* Limbs of a row, and one more: `bits` looks at two. */
static size_t row_limbs(const File *file) {
    return (file->bits + 63) / 64 + 1;
}

static const uint64_t *row(const File *file, unsigned number) {
    return file->limbs + number * row_limbs(file);
}

static void bad_file(const File *file, const char *what) {
    printf("FAIL file=%s %s\n", file->name, what);
    exit(1);
}

static int digit(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void load(File *file, const char *directory) {
    if (file->rows == 0) return;
    const size_t limbs = row_limbs(file), length = strlen(directory) + strlen(file->name) + 2;
    char *path = malloc(length);
    file->limbs = calloc(limbs * file->rows, sizeof(uint64_t));
    if (!path || !file->limbs) bad_file(file, "does not fit the memory");
    snprintf(path, length, "%s/%s", directory, file->name);
    FILE *stream = fopen(path, "r");
    free(path);
    if (!stream) bad_file(file, "cannot be opened");
    for (unsigned number = 0; number < file->rows; number++) {
        uint64_t *at = file->limbs + number * limbs;
        for (unsigned i = (file->bits + 3) / 4; i-- > 0;) {
            const int value = digit(getc(stream));
            if (value < 0) bad_file(file, feof(stream) ? "has too few lines" : "has a line that is no such number");
            at[i / 16] |= (uint64_t)value << i % 16 * 4;
        }
        int end = getc(stream);
        if (end == '\r') end = getc(stream);
        if (end != '\n' && end != EOF) bad_file(file, "has a line that is too long");
    }
    if (getc(stream) != EOF) bad_file(file, "has too many lines");
    fclose(stream);
}

/* 64 bits of a row. */
static uint64_t bits(const uint64_t *row, unsigned low) {
    const uint64_t value = row[low / 64] >> low % 64;
    return low % 64 == 0 ? value : value | row[low / 64 + 1] << (64 - low % 64);
}

/* A limb of what a row has for a port, `base` bits above its place. */
static uint64_t limb(const Port *port, unsigned i, const uint64_t *row, unsigned base) {
    const unsigned rest = port->width - 64 * i;
    const uint64_t value = bits(row, base + port->low + 64 * i);
    return rest < 64 ? value & ((UINT64_C(1) << rest) - 1) : value;
}

static void put(const Port *port, const uint64_t *row, unsigned base) {
    for (unsigned i = 0; i * 64 < port->width; i++) in.limbs[port->at + i] = limb(port, i, row, base);
}

/* An output is not what a row has for it where its mask, `above` bits higher, is 1. */
static int differs(const Port *port, const uint64_t *row, unsigned above) {
    uint64_t any = 0;
    for (unsigned i = 0; i * 64 < port->width; i++) {
        any |= (out.limbs[port->at + i] ^ limb(port, i, row, 0)) & limb(port, i, row, above);
    }
    return any != 0;
}

/* An output and what was expected, `x` where it is not compared; the end. */
static void fail(const Port *port, const uint64_t *row, unsigned above) {
    printf(" got=");
    for (unsigned i = (port->width + 3) / 4; i-- > 0;) {
        printf("%x", (unsigned)(out.limbs[port->at + i / 16] >> i % 16 * 4 & 15));
    }
    printf(" expected=");
    for (unsigned i = (port->width + 3) / 4; i-- > 0;) {
        const unsigned mask = limb(port, i / 16, row, above) >> i % 16 * 4 & 15;
        const unsigned all = port->width - 4 * i < 4 ? (1u << (port->width - 4 * i)) - 1 : 15;
        if (mask == all) printf("%x", (unsigned)(limb(port, i / 16, row, 0) >> i % 16 * 4 & 15));
        else putchar(mask == 0 ? 'x' : 'X');
    }
    printf("\n");
    exit(1);
}

/* Where a program is that has been started under this name. */
static const char *beside(char *program) {
    char *end = strrchr(program, '/');
    if (!end) return ".";
    end[end == program] = 0;
    return program;
}
