//! Views of rows, as fields and ports.

use ndarray::ArrayViewD;
use smallvec::SmallVec;

use crate::engine::error::EngineError;
use edb_kernels::element::Element;
use edb_vertex::port::{FieldKind, FieldView, Port};

/// The view of the field of this name, which is to be a tensor.
pub(super) fn tensor<'a, T>(
    view: FieldView<'a, T>,
    field: &str,
) -> Result<ArrayViewD<'a, T>, EngineError> {
    match view {
        FieldView::Tensor(view) => Ok(view),
        FieldView::Index(_) => Err(EngineError::IsIndex { field: field.into() }),
    }
}

/// A field without elements.
pub(super) fn nothing<'a, T>(kind: FieldKind) -> FieldView<'a, T> {
    match kind {
        FieldKind::Index => FieldView::Index(shaped(&[], &[0])),
        FieldKind::Tensor | FieldKind::Indices => FieldView::Tensor(shaped(&[], &[0])),
    }
}

/// Makes the view of a port from the views of its fields, in order.
pub(super) fn port_view<'a, P: Port, T: Element>(
    views: impl Iterator<Item = Result<FieldView<'a, T>, EngineError>>,
) -> Result<P::View<'a, T>, EngineError> {
    let views: SmallVec<[_; 4]> = views.collect::<Result<_, _>>()?;
    let mut views = views.into_iter();
    Ok(P::view(&mut || views.next().expect("the port was bound with the model")))
}

/// Views a row as an array of this shape.
pub(super) fn shaped<'a, T>(row: &'a [T], sizes: &[usize]) -> ArrayViewD<'a, T> {
    ArrayViewD::from_shape(sizes, row).expect("a row has as many elements as its shape")
}
