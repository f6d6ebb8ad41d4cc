// EXP reach unsafe
void reach_error(void){}
int main(void){ int n=64; if(!__atomic_is_lock_free(n,0)) reach_error(); }
