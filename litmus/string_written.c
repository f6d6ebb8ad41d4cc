/* A string literal is written. */
static char *name = "mazurka";

int main(void)
{
    name[0] = 'M';
    return 0;
}
