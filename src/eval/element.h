/* SPDX-License-Identifier: MIT */
/* element.h - elements of tensors as doubles, whatever their type. */
#ifndef AO_EVAL_ELEMENT_H
#define AO_EVAL_ELEMENT_H

#include "model/task.h"

/* Store a value, rounded to the type; integers go down, and stay in range. */
void ao_element_store(void *data, enum ao_dtype dtype, size_t at, double value);
double ao_element_load(const void *data, enum ao_dtype dtype, size_t at);

bool ao_element_is_integer(enum ao_dtype dtype);

/* The least normal number and the largest one; of integers 1 and the largest.
 */
double ao_element_least(enum ao_dtype dtype);
double ao_element_most(enum ao_dtype dtype);

#endif
