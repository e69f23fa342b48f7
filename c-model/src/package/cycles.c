/*
 * Plays the golden vectors on the model, those of the Verilog testbench in its file:
 *
 *     cc -O2 -o @name@ @name@.c @name@_main.c && ./@name@
 *
 * Argument: the directory of the .hex file if it is not beside the program. The last line is `PASS cycles=N` and the exit
 * status 0; or `FAIL ..` with the first difference, bits that are not compared as `x`, and the status is 1.
 */
@common@
/* A row is a cycle: reset, inputs, mask of the outputs, outputs. */
static const Port inputs[] = {
@inputs@};
static const Port outputs[] = {
@outputs@};
#define INPUT_BITS @input_bits@
#define OUTPUT_BITS @output_bits@
static File cycles = {"@file@", @rows@, 1 + INPUT_BITS + 2 * OUTPUT_BITS, NULL};

int main(int argc, char **argv) {
    unsigned compared = 0;
    load(&cycles, argc > 1 ? argv[1] : beside(argv[0]));
    @name@_init(&model);
    for (unsigned cycle = 0; cycle < cycles.rows; cycle++) {
        const uint64_t *now = row(&cycles, cycle);
        @name@_read(&model, &out.ports);
        for (size_t i = 0; i < COUNT(outputs); i++) {
            for (unsigned j = 0; j * 64 < outputs[i].width; j++) compared |= limb(&outputs[i], j, now, OUTPUT_BITS) != 0;
            if (differs(&outputs[i], now, OUTPUT_BITS)) {
                printf("FAIL cycle=%u port=%s", cycle, outputs[i].name);
                fail(&outputs[i], now, OUTPUT_BITS);
            }
        }
        for (size_t i = 0; i < COUNT(inputs); i++) put(&inputs[i], now, 2 * OUTPUT_BITS);
        const int reset = bits(now, 2 * OUTPUT_BITS + INPUT_BITS) & 1;
        @name@_clock(&model, reset, &in.ports);
    }
    printf("%s cycles=%u\n", compared ? "PASS" : "FAIL nothing is compared in", cycles.rows);
    return compared ? 0 : 1;
}
