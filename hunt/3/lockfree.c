// EXP reach unsafe
void reach_error(void){}
struct S{char c[64];};
int main(void){ if(!__atomic_always_lock_free(64,0)) reach_error(); }
