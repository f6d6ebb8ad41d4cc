// EXP reach unsafe
void reach_error(void){}
int main(void){ int x=256; _Bool r=__atomic_test_and_set(&x,5); if(!r && x==257) reach_error(); }
