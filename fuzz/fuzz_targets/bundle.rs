#![cfg_attr(fuzzing, no_main)]

edb_fuzz::fuzz!(bundle);
