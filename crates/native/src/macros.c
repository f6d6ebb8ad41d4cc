/* What is written in place of the accesses. */
#define MZ_READ(p, ...) ({ __auto_type mz_place = &(__VA_ARGS__); mz_at(p); \
    __auto_type mz_value = *mz_place; mz_after(); mz_value; })
#define MZ_READ_BITS(p, ...) ({ mz_at(p); __auto_type mz_value = (__VA_ARGS__) + 0; mz_after(); mz_value; })
#define MZ_WRITE(p, place, ...) ({ __auto_type mz_place = &(place); \
    __typeof__(*mz_place) mz_value = (__VA_ARGS__); mz_at(p); *mz_place = mz_value; mz_after(); mz_value; })
#define MZ_WRITE_BITS(p, place, ...) ({ __auto_type mz_value = (__VA_ARGS__); mz_at(p); \
    place = mz_value; mz_after(); mz_value; })
#define MZ_CHANGE(r, w, result, op, place, ...) ({ __auto_type mz_place = &(place); \
    __auto_type mz_operand = (__VA_ARGS__); mz_at(r); __auto_type mz_old = *mz_place; mz_after(); \
    __typeof__(*mz_place) mz_new = mz_old op mz_operand; mz_at(w); *mz_place = mz_new; mz_after(); result; })
#define MZ_CHANGE_ONCE(p, op, place, ...) ({ __auto_type mz_place = &(place); \
    __auto_type mz_operand = (__VA_ARGS__); mz_at(p); __auto_type mz_value = *mz_place op mz_operand; \
    mz_after(); mz_value; })
#define MZ_STEP_ONCE(p, before, after, place) ({ __auto_type mz_place = &(place); mz_at(p); \
    __auto_type mz_value = before (*mz_place) after; mz_after(); mz_value; })
#define MZ_CALL(p, ...) ({ mz_at(p); __auto_type mz_value = (__VA_ARGS__); mz_after(); mz_value; })
#define MZ_CALL_VOID(p, ...) ({ mz_at(p); __VA_ARGS__; mz_after(); })
#define MZ_INPUT(p, ...) ({ union { unsigned long long bits; __typeof__(__VA_ARGS__) value; } mz_given; \
    mz_given.bits = mz_input(p); mz_given.value; })
int mz_at(int);
void mz_after(void);
int mz_section_begin(void);
void mz_section_end(int *);
void mz_leave(void);
int mz_reached(void);
unsigned long long mz_input(int);
int mz_create(int, void *, const void *, void *(*)(void *), void *);
int mz_create11(int, void *, int (*)(void *), void *);
int mz_wait(int, int, int, int, void *, void *);
int mz_barrier_wait(int, int, void *);
