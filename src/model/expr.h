/* SPDX-License-Identifier: MIT */
/*
 * expr.h - arithmetic on axis names: "B * M * (N + 1) / 2".
 *
 * Numbers, names, + - * / and parentheses, computed in double.
 */
#ifndef AO_MODEL_EXPR_H
#define AO_MODEL_EXPR_H

#include "util/error.h"

/* Returns false if there is no such name. */
typedef bool ao_expr_lookup(void *data, const char *name, size_t len,
			    double *value_out);

/* AO_EINVALID says what is wrong and where in the expression. */
AO_MUST_CHECK
struct ao_error *ao_expr_eval(double *out, const char *text,
			      ao_expr_lookup *lookup, void *data);

#endif
