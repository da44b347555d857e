/* Put before the C library (LD_PRELOAD): a disk and a clock that a test can spoil while a service runs. $SHIM is
   a folder. While there is a file `full` in it, no file takes what is written to it: the disk is full. While there
   is a file `clock`, the system's clock shows what it says, in seconds since 1970. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static FILE *lying(const char *name, const char *mode) {
    char path[4096];
    const char *folder = getenv("SHIM");
    if (!folder) return NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, mode);
}

static int is_full(int fd) {
    struct stat file;
    if (fd <= 2 || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) return 0;
    FILE *full = lying("full", "r");
    if (!full) return 0;
    fclose(full);
    errno = ENOSPC;
    return 1;
}

ssize_t write(int fd, const void *bytes, size_t count) {
    return is_full(fd) ? -1 : syscall(SYS_write, fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    return is_full(fd) ? -1 : syscall(SYS_pwrite64, fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    return is_full(fd) ? -1 : syscall(SYS_pwrite64, fd, bytes, count, at);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    FILE *set = clock == CLOCK_REALTIME ? lying("clock", "r") : NULL;
    int told = syscall(SYS_clock_gettime, clock, time);
    if (!set) return told;
    long long seconds;
    if (fscanf(set, "%lld", &seconds) == 1) time->tv_sec = seconds;
    fclose(set);
    return told;
}
