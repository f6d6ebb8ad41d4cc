// EXP reach unsafe
void reach_error(void){} struct termios{unsigned a[15];}; extern int tcgetattr(int,struct termios*);
int main(void){ struct termios t={{0}}; tcgetattr(0,&t); if(t.a[0]) reach_error(); }
