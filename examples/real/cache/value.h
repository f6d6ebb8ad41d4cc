/* A value with a count of those who use it. */
#ifndef VALUE_H
#define VALUE_H

#include "cache.h"

struct value *value_new(const void *bytes, size_t length);
void value_keep(struct value *value);

#endif
