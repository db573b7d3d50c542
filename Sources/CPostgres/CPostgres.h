#ifndef MARVEL_RPC_CPOSTGRES_H
#define MARVEL_RPC_CPOSTGRES_H

// libpq, and what its connections are waited for with.

#include <libpq-fe.h>
#include <poll.h>
#include <sys/eventfd.h>

#endif
