// EXP reach unsafe
void reach_error(void){}
int x;
int main(void){ asm volatile(".byte 0xc7,0x05\n .long x-.-8\n .long 1"); if(x) reach_error(); }
