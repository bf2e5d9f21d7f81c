/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/permute.h"
#include "tap.h"

/* A task of axes I (independent), J and K, and a tensor with some of them. */
enum { AXIS_I, AXIS_J, AXIS_K, AXES };
static int64_t extents[AXES] = { 4, 3, 5 };
static const struct ao_case main_case = { .extents = extents };

static struct ao_view view_of(size_t *axes, size_t rank, size_t independent)
{
	struct ao_task task = { .axis_count = AXES,
				.independent_axis = independent };
	struct ao_tensor tensor = { .rank = rank, .axes = axes };
	struct ao_view view;

	ao_view_compute(&view, &task, &main_case, &tensor);
	return view;
}

static const size_t order[] = { 2, 0, 3, 1 };

/* Elements 0, 1, 2, ... reordered. */
static void reorder(uint32_t *to, const struct ao_view *view)
{
	uint32_t from[256];

	for (uint32_t i = 0; i < AO_ARRAY_SIZE(from); i++)
		from[i] = i;
	ao_permute_copy(to, from, view, order, sizeof(*to));
}

static void the_first_axis_moves_whole_rows(void)
{
	size_t axes[] = { AXIS_I, AXIS_J };
	struct ao_view view = view_of(axes, 2, AXIS_I);
	uint32_t to[12];

	reorder(to, &view);
	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t j = 0; j < 3; j++)
			EXPECT(to[i * 3 + j] == order[i] * 3 + j);
}

static void the_last_axis_moves_single_elements(void)
{
	size_t axes[] = { AXIS_J, AXIS_I };
	struct ao_view view = view_of(axes, 2, AXIS_I);
	uint32_t to[12];

	reorder(to, &view);
	for (uint32_t j = 0; j < 3; j++)
		for (uint32_t i = 0; i < 4; i++)
			EXPECT(to[j * 4 + i] == j * 4 + order[i]);
}

static void slices_are_counted_along_the_axis(void)
{
	size_t middle[] = { AXIS_J, AXIS_I, AXIS_K };
	size_t without[] = { AXIS_J, AXIS_K };
	struct ao_view view = view_of(middle, 3, AXIS_I);
	struct ao_slicing slicing;

	ao_view_slice(&slicing, &view);
	EXPECT(slicing.outer == 3 && slicing.count == 4 && slicing.inner == 5);
	view = view_of(without, 2, AXIS_I);
	ao_view_slice(&slicing, &view);
	EXPECT(slicing.outer == 1 && slicing.count == 1);
	EXPECT(slicing.inner == 15);
}

static void an_axis_in_the_middle_moves_planes(void)
{
	size_t axes[] = { AXIS_J, AXIS_I, AXIS_K };
	struct ao_view view = view_of(axes, 3, AXIS_I);
	uint32_t to[60];

	reorder(to, &view);
	for (uint32_t j = 0; j < 3; j++)
		for (uint32_t i = 0; i < 4; i++)
			for (uint32_t k = 0; k < 5; k++)
				EXPECT(to[(j * 4 + i) * 5 + k] ==
				       (j * 4 + order[i]) * 5 + k);
}

static void an_axis_that_stands_twice_moves_both_ways(void)
{
	size_t axes[] = { AXIS_I, AXIS_I };
	struct ao_view view = view_of(axes, 2, AXIS_I);
	uint32_t to[16];

	reorder(to, &view);
	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t j = 0; j < 4; j++)
			EXPECT(to[i * 4 + j] == order[i] * 4 + order[j]);
}

static void a_tensor_without_the_axis_stays_as_it_is(void)
{
	size_t axes[] = { AXIS_J, AXIS_K };
	struct ao_view view = view_of(axes, 2, AXIS_I);
	uint32_t to[15];

	reorder(to, &view);
	for (uint32_t i = 0; i < 15; i++)
		EXPECT(to[i] == i);
}

static void a_task_without_such_an_axis_moves_nothing(void)
{
	size_t axes[] = { AXIS_I, AXIS_J };
	struct ao_view view = view_of(axes, 2, AXES);
	uint32_t to[12];

	reorder(to, &view);
	for (uint32_t i = 0; i < 12; i++)
		EXPECT(to[i] == i);
}

static void a_tensor_of_rank_zero_is_one_element(void)
{
	struct ao_view view = view_of(NULL, 0, AXIS_I);
	uint32_t to[1] = { 9 };

	EXPECT(ao_view_elements(&view) == 1);
	reorder(to, &view);
	EXPECT(to[0] == 0);
}

static void elements_of_eight_bytes_move_whole(void)
{
	size_t axes[] = { AXIS_J, AXIS_I };
	struct ao_view view = view_of(axes, 2, AXIS_I);
	double from[12], to[12];

	for (int i = 0; i < 12; i++)
		from[i] = i + 0.5;
	ao_permute_copy(to, from, &view, order, sizeof(*to));
	for (uint32_t j = 0; j < 3; j++)
		for (uint32_t i = 0; i < 4; i++)
			EXPECT(to[j * 4 + i] ==
			       (double)(j * 4 + order[i]) + 0.5);
}

static void a_reordered_tensor_equals_itself_until_a_bit_changes(void)
{
	size_t layouts[][2] = { { AXIS_I, AXIS_J }, { AXIS_J, AXIS_I } };

	for (size_t n = 0; n < AO_ARRAY_SIZE(layouts); n++) {
		struct ao_view view = view_of(layouts[n], 2, AXIS_I);
		uint32_t from[12], to[12];

		for (uint32_t i = 0; i < 12; i++)
			from[i] = 100 + i;
		ao_permute_copy(to, from, &view, order, sizeof(*to));
		EXPECT(ao_permute_equals(to, from, &view, order, sizeof(*to)));
		to[7] ^= 1;
		EXPECT(!ao_permute_equals(to, from, &view, order, sizeof(*to)));
	}
}

enum { MOST = 5000 };

/* Whether each of `count` is there once. */
static bool is_order(const size_t *drawn, size_t count)
{
	static bool is_there[MOST];

	memset(is_there, 0, sizeof(is_there));
	for (size_t i = 0; i < count; i++) {
		if (drawn[i] >= count || is_there[drawn[i]])
			return false;
		is_there[drawn[i]] = true;
	}
	return true;
}

static void an_order_has_each_slice_once(void)
{
	static const size_t counts[] = { 1, 2, 4095, 4096, 4097, 4111, MOST };
	static size_t drawn[MOST];
	struct ao_rng rng;

	ao_rng_seed(&rng, 3);
	for (size_t i = 0; i < AO_ARRAY_SIZE(counts); i++) {
		ao_permute_draw(drawn, counts[i], &rng);
		EXPECT(is_order(drawn, counts[i]));
	}
	ao_permute_draw(drawn, 0, &rng);
}

static size_t neighbours(const size_t *drawn, size_t count)
{
	size_t sum = 0;

	for (size_t i = 1; i < count; i++)
		sum += drawn[i] == drawn[i - 1] + 1;
	return sum;
}

static void of_thousands_of_slices_some_stay_side_by_side(void)
{
	static size_t drawn[MOST], again[MOST];
	struct ao_rng rng;

	ao_rng_seed(&rng, 4);
	ao_permute_draw(drawn, 4095, &rng);
	EXPECT(neighbours(drawn, 4095) < 40);
	ao_permute_draw(drawn, 4096, &rng);
	EXPECT(neighbours(drawn, 4096) >= 4096 * 63 / 64);
	EXPECT(neighbours(drawn, 4096) < 4096 * 63 / 64 + 10);
	ao_permute_draw(again, 4096, &rng);
	EXPECT(memcmp(drawn, again, 4096 * sizeof(*drawn)));
}

static void elements_that_stay_side_by_side_move_like_any(void)
{
	enum { COUNT = 4096 };
	static size_t axes[] = { AXIS_I, AXIS_J };
	static size_t drawn[COUNT];
	static double from[2 * COUNT], to[2 * COUNT];
	struct ao_view view = view_of(axes, 2, AXIS_J);
	struct ao_rng rng;

	view.extents[0] = 2;
	view.extents[1] = COUNT;
	for (size_t i = 0; i < 2 * COUNT; i++)
		from[i] = (double)i;
	ao_rng_seed(&rng, 6);
	for (size_t swaps = 0; swaps < 2; swaps++) {
		ao_permute_draw(drawn, COUNT, &rng);
		if (swaps) { /* one that is in no run */
			size_t first = drawn[0];

			drawn[0] = drawn[COUNT - 1];
			drawn[COUNT - 1] = first;
		}
		ao_permute_copy(to, from, &view, drawn, sizeof(*to));
		for (size_t i = 0; i < COUNT; i++) {
			EXPECT(to[i] == from[drawn[i]]);
			EXPECT(to[COUNT + i] == from[COUNT + drawn[i]]);
		}
		EXPECT(ao_permute_equals(to, from, &view, drawn, sizeof(*to)));
	}
}

int main(void)
{
	RUN(the_first_axis_moves_whole_rows);
	RUN(the_last_axis_moves_single_elements);
	RUN(slices_are_counted_along_the_axis);
	RUN(an_axis_in_the_middle_moves_planes);
	RUN(an_axis_that_stands_twice_moves_both_ways);
	RUN(a_tensor_without_the_axis_stays_as_it_is);
	RUN(a_task_without_such_an_axis_moves_nothing);
	RUN(a_tensor_of_rank_zero_is_one_element);
	RUN(elements_of_eight_bytes_move_whole);
	RUN(a_reordered_tensor_equals_itself_until_a_bit_changes);
	RUN(an_order_has_each_slice_once);
	RUN(of_thousands_of_slices_some_stay_side_by_side);
	RUN(elements_that_stay_side_by_side_move_like_any);
	return tap_done();
}
