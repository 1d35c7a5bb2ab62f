use super::one_parameter;
use edb::learn::{LearnError, Parameter, Parameters};
use edb_core::learn::Storage;

#[test]
fn parameters_are_found_by_id_and_name_in_order() {
    let mut parameters = Parameters::<f32>::new();
    assert!(parameters.is_empty());
    let u = parameters.push(Parameter::new("phrase.u", &[2, 3], vec![0.0; 6]).unwrap()).unwrap();
    let b = parameters.push(Parameter::new("phrase.b", &[2], vec![1.0; 2]).unwrap()).unwrap();
    assert_eq!((u.index(), b.index(), parameters.len()), (0, 1, 2));
    assert_eq!(parameters.find("phrase.b"), Some(b));
    assert_eq!(parameters.find("phrase.c"), None);
    assert_eq!(parameters.get(u).shape(), [2, 3]);
    let names: Vec<_> = parameters.iter().map(|(_, parameter)| parameter.name()).collect();
    assert_eq!(names, ["phrase.u", "phrase.b"]);
}

#[test]
fn views_are_row_major() {
    let (mut parameters, id) = one_parameter::<f64>(&[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(parameters.get(id).view().unwrap()[[1, 0]], 3.0);
    parameters.get_mut(id).view_mut().unwrap()[[0, 2]] = 9.0;
    assert_eq!(parameters.get(id).values().unwrap(), [0.0, 1.0, 9.0, 3.0, 4.0, 5.0]);
}

#[test]
fn scalars_and_empty_shapes_have_views() {
    for (shape, count) in [(&[][..], 1), (&[0][..], 0), (&[3, 0, 2][..], 0)] {
        let parameter = Parameter::new("p", shape, vec![0.0_f32; count]).unwrap();
        assert_eq!(parameter.view().unwrap().shape(), shape);
    }
}

#[test]
fn a_wrong_number_of_values_is_an_error() {
    let error = Parameter::new("word.w", &[2, 3], vec![0.0_f32; 5]).unwrap_err();
    assert!(matches!(error, LearnError::ValueCount { values: 5, .. }));
    assert_eq!(error.to_string(), "parameter `word.w` is [2, 3], which does not hold 5 values");
}

#[test]
fn a_shape_beyond_memory_is_an_error_even_if_empty() {
    for shape in [&[usize::MAX, 2][..], &[0, usize::MAX, 2], &[usize::MAX]] {
        let error = Parameter::<f32>::new("p", shape, vec![]).unwrap_err();
        assert!(matches!(error, LearnError::ShapeTooLarge { .. }), "{error}");
    }
}

#[test]
fn names_are_unique() {
    let (mut parameters, _) = one_parameter::<f32>(&[1], &[0.0]);
    let error = parameters.push(Parameter::new("p", &[2], vec![0.0; 2]).unwrap()).unwrap_err();
    assert!(matches!(error, LearnError::DuplicateName { parameter } if parameter == "p"));
    assert_eq!(parameters.len(), 1);
}

/// Fault B3 of the fourth list: a view panicked if a back end had stored another number of values.
#[test]
fn a_view_is_one_of_all_values() {
    for count in [0, 5, 7] {
        let (mut parameters, id) = one_parameter::<f64>(&[2, 3], &[0.0; 6]);
        let parameter = parameters.get_mut(id);
        *parameter.storage_mut() = Storage::new(&vec![1.0; count]).unwrap();
        for error in [parameter.view().map(drop), parameter.view_mut().map(drop)] {
            let found = error.unwrap_err();
            assert!(
                matches!(found, LearnError::ValueCount { values, .. } if values == count),
                "{found}"
            );
        }
        *parameter.storage_mut() = Storage::new(&[1.0; 6]).unwrap();
        assert_eq!(parameter.view().unwrap().sum(), 6.0);
    }
}
