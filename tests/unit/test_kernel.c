/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "model/kernel.h"

static void a_file_may_hold_any_byte(void)
{
	struct ao_kernel kernel = { 0 };

	ao_kernel_add(&kernel, "kernel.c", "a\0b", 3);
	EXPECT(kernel.count == 1);
	EXPECT(kernel.files[0].len == 3);
	EXPECT(!memcmp(kernel.files[0].data, "a\0b", 4));
	ao_kernel_release(&kernel);
	EXPECT(!kernel.files && !kernel.count);
}

static void adding_a_file_makes_the_id_unknown(void)
{
	struct ao_kernel kernel = { .id = "1234" };

	ao_kernel_add(&kernel, "kernel.c", "", 0);
	EXPECT(!*kernel.id);
	ao_kernel_release(&kernel);
}

static void a_copy_has_the_id_and_its_own_files(void)
{
	struct ao_kernel kernel = { 0 };
	struct ao_kernel copy;

	ao_kernel_add(&kernel, "a.c", "one", 3);
	ao_kernel_add(&kernel, "b.h", "two", 3);
	memcpy(kernel.id, "1234", 5);
	ao_kernel_copy(&copy, &kernel);
	ao_kernel_release(&kernel);
	EXPECT(copy.count == 2);
	EXPECT(!strcmp(copy.id, "1234"));
	EXPECT(!strcmp(copy.files[1].path, "b.h"));
	EXPECT(!strcmp(copy.files[1].data, "two"));
	ao_kernel_release(&copy);
}

static void a_copy_of_nothing_is_nothing(void)
{
	struct ao_kernel kernel = { 0 };
	struct ao_kernel copy;

	ao_kernel_copy(&copy, &kernel);
	EXPECT(!copy.files && !copy.count && !*copy.id);
	ao_kernel_release(&copy);
}

int main(void)
{
	RUN(a_file_may_hold_any_byte);
	RUN(adding_a_file_makes_the_id_unknown);
	RUN(a_copy_has_the_id_and_its_own_files);
	RUN(a_copy_of_nothing_is_nothing);
	return tap_done();
}
