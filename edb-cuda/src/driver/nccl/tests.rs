//! NCCL's protocol, held by an imitation of NCCL: there are neither GPUs nor NCCL where these run.

use std::ffi::c_int;
use std::path::PathBuf;
use std::process::Command;
use std::ptr::null_mut;
use std::sync::OnceLock;

use edb_backend_suite::machine;
use edb_backend_suite::ranks::on_ranks;

use super::*;

/// The imitation, which is compiled once.
struct Imitation {
    library: Library,
    path: PathBuf,
    _folder: tempfile::TempDir,
}

fn compiler() -> Option<Command> {
    machine::program("g++", "NCCL's protocol")
}

fn imitation() -> &'static Imitation {
    static MADE: OnceLock<Imitation> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let [source, path] =
            ["imitation.cc", "libimitation.so"].map(|name| folder.path().join(name));
        std::fs::write(&source, include_str!("imitation.cc")).unwrap();
        let mut compiler = compiler().expect("the imitation of NCCL needs g++");
        compiler.args(["-std=c++17", "-O1", "-fPIC", "-shared", "-o"]).arg(&path).arg(&source);
        let made = compiler.output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        Imitation { library: Library::open(path.clone()).unwrap(), path, _folder: folder }
    })
}

/// What the imitation counts.
fn count(name: &str) -> c_int {
    // SAFETY: the imitation is loaded already, and the function has this type.
    unsafe {
        let library = libloading::Library::new(&imitation().path).unwrap();
        library.get::<unsafe extern "C" fn() -> c_int>(name).unwrap()()
    }
}

/// Waits for what a rank receives.
fn wait(nccl: &Nccl) -> Result<(), CollectiveError> {
    // SAFETY: the imitation is loaded already, the function has this type, and the communicator is one
    // of its own.
    nccl.wait(|| unsafe {
        let library = libloading::Library::new(&imitation().path).unwrap();
        let idle = library.get::<unsafe extern "C" fn(Communicator) -> c_int>("imitation_idle");
        Ok(idle.unwrap()(nccl.communicator) != 0)
    })
}

fn join(
    gpu: Result<u8, &str>,
    world: &Arc<dyn Collective>,
) -> Result<Option<Nccl>, CollectiveError> {
    let gpu = gpu.map(|uuid| (&imitation().library, [uuid; UUID])).map_err(str::to_owned);
    // SAFETY: the imitation does not look at streams.
    unsafe { Nccl::join(gpu, null_mut(), world) }
}

/// The tests count what there is in one process.
static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Every rank sends each other one pieces of different lengths, some more than fit into a group, and
/// gets them in their order.
#[test]
fn pieces_arrive_in_their_order() {
    let Some(_) = compiler() else { return };
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let pieces = |from: usize, to: usize| -> Vec<Vec<u8>> {
        let count = if (from, to) == (0, 1) { 2 * MOST_PIECES + 3 } else { from + 2 * to };
        (0..count).map(|number| vec![(7 * from + to + number) as u8; 1 + number % 5]).collect()
    };
    let aborted = count("imitation_aborted");
    for ranks in 1..5 {
        on_ranks(ranks, |world| {
            let (rank, world) = (world.rank(), Arc::new(world) as Arc<dyn Collective>);
            let nccl = join(Ok(rank as u8), &world).unwrap().expect("all have the imitation");
            for _ in 0..2 {
                let transfer = |rank: usize, piece: &mut Vec<u8>| Transfer {
                    rank,
                    address: piece.as_mut_ptr() as u64,
                    bytes: piece.len(),
                };
                let others = || (0..ranks).filter(|other| *other != rank);
                let mut mine: Vec<(usize, Vec<Vec<u8>>)> =
                    others().map(|to| (to, pieces(rank, to))).collect();
                let mut theirs: Vec<(usize, Vec<Vec<u8>>)> = others()
                    .map(|from| {
                        let expected = pieces(from, rank);
                        (from, expected.iter().map(|piece| vec![0; piece.len()]).collect())
                    })
                    .collect();
                let list = |all: &mut Vec<(usize, Vec<Vec<u8>>)>| -> Vec<Transfer> {
                    let of = |(rank, pieces): &mut (usize, Vec<Vec<u8>>)| {
                        let rank = *rank;
                        pieces.iter_mut().map(|piece| transfer(rank, piece)).collect::<Vec<_>>()
                    };
                    all.iter_mut().flat_map(of).collect()
                };
                let (sent, received) = (list(&mut mine), list(&mut theirs));
                // SAFETY: nobody uses the pieces before they are waited for.
                unsafe { nccl.exchange(&sent, &received).unwrap() };
                wait(&nccl).unwrap();
                for (from, found) in theirs {
                    assert_eq!(found, pieces(from, rank), "from {from} to {rank}");
                }
            }
        });
        assert_eq!(count("imitation_alive"), 0, "all communicators are given back");
    }
    assert_eq!(count("imitation_aborted"), aborted, "they end in peace");
    let greatest = count("imitation_greatest_group") as usize;
    assert!((MOST_PIECES..=2 * MOST_PIECES).contains(&greatest), "{greatest}");
}

/// Where one rank has no NCCL, or two have the same GPU, none uses it.
#[test]
fn all_ranks_go_through_the_hosts_if_one_has_to() {
    let Some(_) = compiler() else { return };
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let missing = on_ranks(3, |world| {
        let gpu =
            if world.rank() == 1 { Err("NCCL was not found") } else { Ok(world.rank() as u8) };
        join(gpu, &(Arc::new(world) as Arc<dyn Collective>)).unwrap().is_some()
    });
    assert_eq!(missing, [false; 3]);
    let shared = on_ranks(3, |world| {
        join(Ok(world.rank() as u8 / 2), &(Arc::new(world) as Arc<dyn Collective>))
            .unwrap()
            .is_some()
    });
    assert_eq!(shared, [false; 3]);
    assert_eq!(count("imitation_alive"), 0);

    let said = |all: &[Result<(u8, &str), &str>]| {
        let said = |said: &Result<(u8, &str), &str>| {
            let said = said.map(|(uuid, version)| [&[uuid; UUID], version.as_bytes()].concat());
            Said(said.map_err(str::to_owned))
        };
        apart(&all.iter().map(said).collect::<Vec<_>>())
    };
    let reason = said(&[Ok((1, "NCCL 2.27.3")), Err("NCCL was not found")]);
    assert_eq!(reason.unwrap(), "rank 1: NCCL was not found");
    let reason = said(&[Ok((1, "NCCL 2.27.3")), Ok((2, "NCCL 2.27.3")), Ok((1, "NCCL 2.27.3"))]);
    assert_eq!(reason.unwrap(), "ranks 0 and 2 have the same GPU");
    let reason = said(&[Ok((1, "NCCL 2.27.3")), Ok((2, "NCCL 2.30.4"))]);
    assert_eq!(reason.unwrap(), "rank 1 has NCCL 2.30.4, and rank 0 has NCCL 2.27.3");
    assert_eq!(said(&[Ok((1, "NCCL 2.27.3")), Ok((2, "NCCL 2.27.3"))]), None);
}

/// A rank that sends nothing, or something else, is an error. The communicator is then aborted, and not
/// ended together with the other rank.
#[test]
fn ranks_that_do_not_answer_are_errors() {
    let Some(_) = compiler() else { return };
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let aborted = count("imitation_aborted");
    let errors = on_ranks(2, |world| {
        let (rank, world) = (world.rank(), Arc::new(world) as Arc<dyn Collective>);
        let mut piece = vec![0_u8; 8];
        let address = piece.as_mut_ptr() as u64;
        let other = |bytes| [Transfer { rank: 1 - rank, address, bytes }];
        let mut nccl = join(Ok(rank as u8), &world).unwrap().unwrap();
        nccl.world = Arc::new(Hasty);
        let late = match rank {
            0 => {
                // SAFETY: nobody uses the piece but NCCL.
                unsafe { nccl.exchange(&[], &other(8)) }.unwrap();
                let late = wait(&nccl).unwrap_err().to_string();
                let world = Arc::downgrade(&nccl.world);
                nccl.abort();
                assert!(world.upgrade().is_none(), "it lets go of the ranks, which end with it");
                Some(late)
            }
            _ => None,
        };
        // The other rank ends in peace.
        world.all_gather(Vec::new()).unwrap();

        let nccl = join(Ok(rank as u8), &world).unwrap().unwrap();
        let exchanged = match rank {
            // SAFETY: as above.
            0 => unsafe { nccl.exchange(&[], &other(8)) },
            // SAFETY: as above.
            _ => unsafe { nccl.exchange(&other(4), &[]) },
        };
        let exchanged = exchanged.and_then(|()| wait(&nccl)).map_err(|error| error.to_string());
        if exchanged.is_err() {
            nccl.abort();
        }
        (late, exchanged)
    });
    let late = "NCCL: the GPUs of other ranks have not answered for 0 s".to_owned();
    let other = "NCCL: invalid usage: sent 4 bytes, received 8".to_owned();
    assert_eq!(errors, [(Some(late), Err(other)), (None, Ok(()))]);
    assert_eq!(count("imitation_alive"), 0);
    assert_eq!(count("imitation_aborted"), aborted + 2);
}

/// Ranks that do not wait.
#[derive(Debug)]
struct Hasty;

impl Collective for Hasty {
    fn rank(&self) -> usize {
        0
    }

    fn ranks(&self) -> usize {
        2
    }

    fn patience(&self) -> Duration {
        Duration::from_millis(20)
    }

    fn send(&self, _: usize, _: Vec<u8>) -> Result<(), CollectiveError> {
        unreachable!("they only wait")
    }

    fn receive(&self, _: usize) -> Result<Vec<u8>, CollectiveError> {
        unreachable!("they only wait")
    }
}

/// What is no NCCL, or not there, is said by its name.
#[test]
fn a_library_that_is_none_is_told() {
    let absent = Library::open("absent/libnccl.so.2".into()).unwrap_err();
    assert!(absent.contains("absent/libnccl.so.2"), "{absent}");
    let other = Library::open("libm.so.6".into()).unwrap_err();
    assert!(other.contains("ncclGetVersion"), "{other}");
    let Some(_) = compiler() else { return };
    assert_eq!(imitation().library.name(), "NCCL 2.27.3");
}
