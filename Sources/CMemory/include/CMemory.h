#ifndef MARVEL_RPC_CMEMORY_H
#define MARVEL_RPC_CMEMORY_H

/// Has malloc keep no more than that many arenas; where there is no such setting, nothing happens.
void marvel_limit_arenas(int count);

/// Takes the pages of the program's and its libraries' files that are not writable out of the process. Each is
/// mapped again, from the page cache, when it is used. On other systems than Linux nothing happens.
void marvel_release_file_pages(void);

/// Starts that many threads, at most 1,024, and ends them again. Returns whether all could exist at the same time.
int marvel_can_start_threads(int count);

/// Keeps the memory of the process from others: no core file is written when it crashes, and only root may read its memory
/// or attach a debugger. On other systems than Linux only core files are forbidden.
///
/// Returns whether all of it was possible.
int marvel_forbid_dumps(void);

#endif
