#![cfg_attr(fuzzing, no_main)]

edb_fuzz::fuzz!(pq_tree);
