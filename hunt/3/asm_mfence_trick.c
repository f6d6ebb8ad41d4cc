// EXP reach unsafe
void reach_error(void){}
int x;
int main(void){ asm volatile("mfence\n\tlock; incl x(%rip)"); if(x) reach_error(); }
