// An imitation of NCCL for tests: ranks are threads of one process, and the memory of their GPUs is that of the
// process. As with NCCL where calls need not block, a call returns before what it begins is in the stream; and what
// is in the stream goes on by itself: here, when somebody asks whether it is done (`imitation_idle`).

#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

enum { SUCCESS = 0, INVALID_ARGUMENT = 4, INVALID_USAGE = 5, IN_PROGRESS = 7 };

struct UniqueId { char internal[128]; };
struct Config { size_t size; unsigned magic, version; int blocking; };

struct Piece { int rank; void* to; size_t bytes; };
struct World {
  int ranks;
  std::set<int> joined;
  // From one rank to another.
  std::map<std::pair<int, int>, std::deque<std::string>> mail;
};
struct Comm {
  std::string id;
  int rank;
  // How often it says that it is still at work.
  int busy;
  std::deque<Piece> pending;
  std::string error;
};

static std::mutex lock;
static std::map<std::string, World> worlds;
static int ids = 0, alive = 0, aborted = 0, greatest_group = 0;
static thread_local int depth = 0, listed = 0;
static thread_local std::vector<std::pair<Comm*, Piece>> receives;

extern "C" {

int ncclGetVersion(int* version) { *version = 22703; return SUCCESS; }

int ncclGetUniqueId(UniqueId* id) {
  std::lock_guard<std::mutex> guard(lock);
  std::memset(id, 0, sizeof *id);
  std::string name = "world " + std::to_string(++ids);
  std::memcpy(id->internal, name.data(), name.size());
  return SUCCESS;
}

int ncclCommInitRankConfig(Comm** comm, int ranks, UniqueId id, int rank, Config* config) {
  std::lock_guard<std::mutex> guard(lock);
  if (config->size != 24 || config->magic != 0xcafebeef || config->version != 21400 || config->blocking != 0) {
    return INVALID_ARGUMENT;
  }
  World& world = worlds[id.internal];
  world.ranks = ranks;
  world.joined.insert(rank);
  *comm = new Comm{id.internal, rank, 3, {}, ""};
  ++alive;
  return IN_PROGRESS;
}

int ncclCommGetAsyncError(Comm* comm, int* state) {
  std::lock_guard<std::mutex> guard(lock);
  World& world = worlds[comm->id];
  if (!comm->error.empty()) *state = INVALID_USAGE;
  else if ((int)world.joined.size() < world.ranks || comm->busy-- > 0) *state = IN_PROGRESS;
  else *state = SUCCESS;
  return SUCCESS;
}

const char* ncclGetLastError(Comm* comm) { return comm ? comm->error.c_str() : ""; }

const char* ncclGetErrorString(int code) { return code == INVALID_ARGUMENT ? "invalid argument" : "invalid usage"; }

int ncclGroupStart() { listed = 0; return depth++ ? INVALID_USAGE : SUCCESS; }

int ncclGroupEnd() {
  std::lock_guard<std::mutex> guard(lock);
  if (--depth != 0) return INVALID_USAGE;
  if (listed > greatest_group) greatest_group = listed;
  for (auto& receive : receives) {
    receive.first->busy = 2;
    receive.first->pending.push_back(receive.second);
  }
  receives.clear();
  return IN_PROGRESS;
}

int ncclSend(const void* from, size_t count, int type, int peer, Comm* comm, void*) {
  std::lock_guard<std::mutex> guard(lock);
  if (depth != 1 || type != 1 || count == 0 || peer == comm->rank) return INVALID_ARGUMENT;
  ++listed;
  worlds[comm->id].mail[{comm->rank, peer}].emplace_back((const char*)from, count);
  return SUCCESS;
}

int ncclRecv(void* to, size_t count, int type, int peer, Comm* comm, void*) {
  std::lock_guard<std::mutex> guard(lock);
  if (depth != 1 || type != 1 || count == 0 || peer == comm->rank) return INVALID_ARGUMENT;
  ++listed;
  receives.push_back({comm, Piece{peer, to, count}});
  return SUCCESS;
}

int ncclCommFinalize(Comm* comm) { return comm->error.empty() && comm->pending.empty() ? SUCCESS : INVALID_USAGE; }

int ncclCommDestroy(Comm* comm) {
  std::lock_guard<std::mutex> guard(lock);
  --alive;
  delete comm;
  return SUCCESS;
}

int ncclCommAbort(Comm* comm) {
  ++aborted;
  return ncclCommDestroy(comm);
}

// Whether everything that a rank receives has arrived, as its stream would tell.
int imitation_idle(Comm* comm) {
  std::lock_guard<std::mutex> guard(lock);
  while (comm->error.empty() && !comm->pending.empty()) {
    Piece& piece = comm->pending.front();
    auto& mail = worlds[comm->id].mail[{piece.rank, comm->rank}];
    if (mail.empty()) return 0;
    if (mail.front().size() != piece.bytes) {
      comm->error = "sent " + std::to_string(mail.front().size()) + " bytes, received " + std::to_string(piece.bytes);
      return 0;
    }
    std::memcpy(piece.to, mail.front().data(), piece.bytes);
    mail.pop_front();
    comm->pending.pop_front();
  }
  return comm->error.empty();
}

// How many communicators there are, how many were aborted, and the most pieces of a group.
int imitation_aborted() { return aborted; }
int imitation_alive() { return alive; }
int imitation_greatest_group() { return greatest_group; }

}
