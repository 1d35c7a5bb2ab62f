use edb::learn::{Initializer, LearnError, Start, Values};

#[test]
fn constants_fill() {
    assert_eq!(Initializer::Zeros.fill::<f32>(&[2], 1, "p").unwrap(), [0.0; 2]);
    assert_eq!(Initializer::Constant(1.5).fill::<f32>(&[], 1, "p").unwrap(), [1.5]);
    assert!(Initializer::XavierUniform.fill::<f32>(&[0, 0], 1, "p").unwrap().is_empty());
}

#[test]
fn defaults_go_by_rank() {
    let by_rank = [&[][..], &[3], &[3, 2], &[3, 2, 2]].map(Initializer::default_for);
    use Initializer::{XavierUniform, Zeros};
    assert_eq!(by_rank, [Zeros, Zeros, XavierUniform, Zeros]);
}

/// A uniform variable over [-b, b] has mean 0 and variance b²/3; of 60 000 values, the mean lies
/// within 5 standard errors b/√(3n), and so does the variance, whose error is b² √(4/45n).
fn is_uniform(values: &[f64], bound: f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| value * value).sum::<f64>() / n;
    assert!(values.iter().all(|value| value.abs() <= bound));
    assert!(values.iter().any(|value| *value > 0.99 * bound));
    assert!(values.iter().any(|value| *value < -0.99 * bound));
    assert!(mean.abs() < 5.0 * bound / (3.0 * n).sqrt(), "{mean}");
    let error = 5.0 * bound * bound * (4.0 / (45.0 * n)).sqrt();
    assert!((variance - bound * bound / 3.0).abs() < error, "{variance}");
}

#[test]
fn uniform_is_uniform() {
    let values = Initializer::Uniform { bound: 0.1 }.fill(&[60_000], 7, "p").unwrap();
    is_uniform(&values, 0.1);
}

#[test]
fn xavier_bounds_by_both_fans() {
    // √(6 / (200 + 300))
    let values = Initializer::XavierUniform.fill(&[200, 300], 7, "p").unwrap();
    is_uniform(&values, 0.109_544_511_501_033_22);
    let values = Initializer::XavierUniform.fill(&[300, 200], 7, "p").unwrap();
    is_uniform(&values, 0.109_544_511_501_033_22);
}

#[test]
fn f32_is_f64_rounded() {
    let double: Vec<f64> = Initializer::XavierUniform.fill(&[30, 20], 3, "cell.w").unwrap();
    let single: Vec<f32> = Initializer::XavierUniform.fill(&[30, 20], 3, "cell.w").unwrap();
    let rounded: Vec<f32> = double.iter().map(|&value| value as f32).collect();
    assert_eq!(single, rounded);
}

#[test]
fn values_depend_on_seed_and_name() {
    let fill = |seed, name| Initializer::XavierUniform.fill::<f64>(&[4, 4], seed, name).unwrap();
    assert_eq!(fill(1, "a.w"), fill(1, "a.w"));
    assert_ne!(fill(1, "a.w"), fill(2, "a.w"));
    assert_ne!(fill(1, "a.w"), fill(1, "a.u"));
}

/// Fixed for all time: a seed must give the same model after an update of the random number
/// crates. The values were computed by an implementation of ChaCha of its own.
#[test]
fn the_stream_does_not_change() {
    let values: Vec<f64> = Initializer::Uniform { bound: 1.0 }.fill(&[3], 42, "cell.w").unwrap();
    assert_eq!(
        values,
        [0.520_707_822_646_444_3, -0.316_927_394_533_929_93, 0.922_607_513_573_396_9]
    );
}

#[test]
fn what_cannot_be_filled_is_an_error() {
    let error = Initializer::XavierUniform.fill::<f32>(&[3], 1, "cell.b").unwrap_err();
    assert_eq!(
        error.to_string(),
        "parameter `cell.b` is [3]; the initialiser XavierUniform is for matrices [m, n]"
    );
    for bound in [-1.0, f64::NAN, f64::INFINITY] {
        let error = Initializer::Uniform { bound }.fill::<f32>(&[3], 1, "b").unwrap_err();
        assert!(matches!(error, LearnError::Setting { .. }), "{error}");
    }
    let error = Initializer::Zeros.fill::<f32>(&[usize::MAX, 2], 1, "b").unwrap_err();
    assert!(matches!(error, LearnError::ShapeTooLarge { .. }), "{error}");
}

#[test]
fn orthogonal_sides_are_orthonormal() {
    for (rows, columns) in [(5, 9), (9, 5), (6, 6), (1, 4), (4, 1)] {
        let initializer = Initializer::Orthogonal { gain: 2.0 };
        let values: Vec<f64> = initializer.fill(&[rows, columns], 3, "cell.u").unwrap();
        let element = |i: usize, j: usize| match rows <= columns {
            true => values[i * columns + j],
            false => values[j * columns + i],
        };
        let (short, long) = (rows.min(columns), rows.max(columns));
        for i in 0..short {
            for k in 0..short {
                let product: f64 = (0..long).map(|j| element(i, j) * element(k, j)).sum();
                let expected = if i == k { 4.0 } else { 0.0 };
                approx::assert_abs_diff_eq!(product, expected, epsilon = 1e-12);
            }
        }
        // Random, and not a reflection of the axes.
        assert!(values.iter().all(|value| *value != 0.0));
    }
}

#[test]
fn identities_have_a_diagonal() {
    let fill = |shape: &[usize]| -> Vec<f32> {
        Initializer::Identity { gain: 0.5 }.fill(shape, 1, "p").unwrap()
    };
    assert_eq!(fill(&[2, 3]), [0.5, 0.0, 0.0, 0.0, 0.5, 0.0]);
    assert_eq!(fill(&[3, 2]), [0.5, 0.0, 0.0, 0.5, 0.0, 0.0]);
    assert!(fill(&[0, 2]).is_empty());
}

#[test]
fn values_come_from_arrays_and_files() {
    let array = ndarray::array![[1.0, 2.0], [3.0, 4.0_f64]];
    let values = Values::array(array.view().into_dyn().reversed_axes());
    assert_eq!(values.fill::<f32>(&[2, 2], "p").unwrap(), [1.0, 3.0, 2.0, 4.0]);
    let error = values.fill::<f32>(&[4], "cell.b").unwrap_err().to_string();
    assert_eq!(error, "parameter `cell.b` is [4], but the array is [2, 2]");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let (parameters, _) = super::one_parameter::<f32>(&[3], &[1.0, 2.0, 3.0]);
    edb_core::learn::checkpoint::save(&parameters, &path, &Default::default()).unwrap();
    let start = Start::from(Values::safetensors(&path, "p").unwrap());
    assert_eq!(start.fill::<f64>(&[3], 1, "q").unwrap(), [1.0, 2.0, 3.0]);
    let error = Values::safetensors(&path, "q").unwrap_err().to_string();
    assert_eq!(error, format!("{} has no tensor `q`; it has p", path.display()));
    // Fault D2: a tensor in another type was said not to be there.
    let header = br#"{"head.w":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}"#;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    bytes.extend([0; 4]);
    std::fs::write(&path, bytes).unwrap();
    let error = Values::safetensors(&path, "head.w").unwrap_err().to_string();
    let expected =
        "has the tensor `head.w` in BF16, and only F32 and F64 are read: convert the file";
    assert_eq!(error, format!("{} {expected}", path.display()));
}

#[test]
fn word_vectors_are_found_and_missing_words_reported() {
    use edb::learn::WordVectors;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors.txt");
    let mut bytes = b"4 2\nthe 0.5 -1\n. . . 1 2\ncat 3 1e1\ncat 9 9\n".to_vec();
    bytes.extend(b"\xff\xfe 1 1\n");
    std::fs::write(&path, bytes).unwrap();
    let vocabulary = ["cat", "dog", ". . .", "the", "cat"];
    let vectors = WordVectors::read(&path, &vocabulary, 7).unwrap();
    assert_eq!((vectors.width(), vectors.missing()), (2, &["dog".to_owned()][..]));
    let values: Vec<f64> = vectors.values().fill(&[5, 2], "word.table").unwrap();
    assert_eq!(values[..2], [3.0, 10.0]);
    assert_eq!(values[4..], [1.0, 2.0, 0.5, -1.0, 3.0, 10.0]);
    // What is drawn does not depend on the rest of the vocabulary but for its size.
    assert!(values[2] != 0.0 && values[2] != values[3]);

    for (text, line, reason) in [
        ("a 1 2 3\nb 1 2\n", 2, "expected a word and 3 numbers, found 2"),
        ("a 1 2 3\ncat 1 x 2\n", 2, "expected a number, found `x`"),
        // Fault B15: what is no number went into the table, whatever the first line said was
        // ignored, and an empty file was an error when the model was built.
        ("a 1\ncat nan\n", 2, "expected a number, found `nan`"),
        ("a 1\ncat -inf\n", 2, "expected a number, found `-inf`"),
        ("a 1\n\ncat 1e39\n", 3, "expected a number, found `1e39`"),
        ("2 3\ncat 1 2\n", 2, "expected a word and 3 numbers, found 2"),
        ("2 0\ncat\n", 2, "expected a word and its numbers, separated by spaces"),
        ("2 0\ncat 1\n", 1, "expected a word and its numbers, separated by spaces"),
        ("cat\t1\t2\n", 1, "expected a word and its numbers, separated by spaces"),
        ("", 1, "expected a word and its numbers, found the end of the file"),
        ("2 3\n", 2, "expected a word and its numbers, found the end of the file"),
    ] {
        std::fs::write(&path, text).unwrap();
        let error = WordVectors::read(&path, &vocabulary, 7).unwrap_err().to_string();
        assert_eq!(error, format!("word vectors {}, line {line}: {reason}", path.display()));
    }
    let read = |text: &str| -> Vec<f64> {
        std::fs::write(&path, text).unwrap();
        let vectors = WordVectors::read(&path, &["cat"], 7).unwrap();
        vectors.values().fill(&[1, vectors.width()], "word.table").unwrap()
    };
    // A mark of the order of bytes is no part of the first word; two fields are no heading, and
    // words may contain spaces where a heading says how long vectors are.
    assert_eq!(read("\u{feff}cat 1 2\n"), [1.0, 2.0]);
    assert_eq!(read("\u{feff}1 2\na b 3 4\ncat 1 2\n"), [1.0, 2.0]);
    assert_eq!(read("the 0.5\ncat 2\n"), [2.0]);
    let error = WordVectors::read(folder.path().join("none"), &["cat"], 7).unwrap_err().to_string();
    assert!(error.contains("none cannot be read: No such file"), "{error}");
}
