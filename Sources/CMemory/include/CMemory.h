#ifndef MARVEL_RPC_CMEMORY_H
#define MARVEL_RPC_CMEMORY_H

/// Has malloc keep no more than that many arenas; where there is no such setting, nothing happens.
void marvel_limit_arenas(int count);

/// Takes the pages of the program's and its libraries' files that are not writable out of the process. Each is
/// mapped again, from the page cache, when it is used. On other systems than Linux nothing happens.
void marvel_release_file_pages(void);

#endif
