/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target over files, without a fuzzer: over those it is given, or
 * over its corpus, then as a test that prints TAP.
 */
#include "util/base.h"

#include "fuzz.h"
#include "util/error.h"
#include "util/file.h"
#include "util/limits.h"

/* In memory of just its size, so that a sanitizer sees a step behind it. */
static bool run_file(const char *path)
{
	struct ao_buf buf = AO_BUF_INIT(AO_MAX_JSON_BYTES + 1);
	struct ao_error *err = ao_file_read(&buf, path);
	uint8_t *exact;

	if (err) {
		ao_error_print(stderr, err, false);
		ao_error_free(err);
		return false;
	}
	exact = ao_xmalloc(buf.len);
	memcpy(exact, buf.ptr, buf.len);
	printf("# %s\n", path); /* the last one is the one at fault */
	fflush(stdout);
	LLVMFuzzerTestOneInput(exact, buf.len);
	free(exact);
	ao_buf_release(&buf);
	return true;
}

static int run_corpus(const char *folder)
{
	struct ao_strs names = { 0 };
	struct ao_error *err = ao_file_list(&names, folder);
	bool is_ok = !err && names.count > 0;

	if (err)
		ao_error_print(stderr, err, false);
	ao_error_free(err);
	for (size_t i = 0; i < names.count; i++) {
		char *path = ao_xstrf("%s/%s", folder, names.v[i]);

		is_ok = run_file(path) && is_ok;
		free(path);
	}
	printf("%sok 1 - %zu inputs of %s do no harm\n1..1\n",
	       is_ok ? "" : "not ", names.count, folder);
	ao_strs_release(&names);
	return is_ok ? 0 : 1;
}

/* That of the target fuzz_<x>, which this program is, is corpus/<x>. */
static int run_own_corpus(const char *program)
{
	const char *slash = strrchr(program, '/');
	const char *name = slash ? slash + 1 : program;
	char *folder = ao_xstrf("tests/fuzz/corpus/%s",
				name + (strncmp(name, "fuzz_", 5) ? 0 : 5));
	int status = run_corpus(folder);

	free(folder);
	return status;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return run_own_corpus(argv[0]);
	for (int i = 1; i < argc; i++)
		if (!run_file(argv[i]))
			return 1;
	return 0;
}
