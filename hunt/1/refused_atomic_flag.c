#include <stdatomic.h>
atomic_flag l=ATOMIC_FLAG_INIT;
int main(){ while(atomic_flag_test_and_set(&l)); atomic_flag_clear(&l);}
