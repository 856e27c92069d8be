//! Tensor maps in the driver's own form, which is documented nowhere.

use crate::DriverError;
use crate::gpu::Session;
use std::ffi::{c_int, c_uint, c_void};
use warpc_launch::tensor_map::{BYTES, Outside, Shape, TensorMap};

/// `CUtensorMap`
#[repr(C, align(64))]
struct Opaque([u8; BYTES]);

/// Makes the driver's form of a map in the place of ours.
pub(crate) fn encode(session: &Session, bytes: &mut [u8; BYTES]) -> Result<(), DriverError> {
    let refused = |message: String| DriverError::Request(format!("a tensor map: {message}"));
    let map = TensorMap::decode(bytes).map_err(refused)?;
    // It has as many sizes, strides, steps and so on as it has dimensions, and at most five.
    map.check().map_err(refused)?;
    let Some(swizzle) = map.swizzle.driver_number() else {
        return Err(refused("the driver has no swizzle of 96 bytes".to_owned()));
    };
    let mut made = Opaque([0; BYTES]);
    let to: *mut c_void = made.0.as_mut_ptr().cast();
    let address: *mut c_void = std::ptr::without_provenance_mut(map.address as usize);
    let (ty, rank) = (
        map.element.driver_number() as c_int,
        map.sizes.len() as c_uint,
    );
    let interleave = map.interleave as c_int;
    let fill = c_int::from(map.outside == Outside::Nan);
    // `CU_TENSOR_MAP_L2_PROMOTION_NONE`
    let promotion = 0;
    match &map.shape {
        Shape::Tile(tile) => {
            // SAFETY: the map has 128 bytes and is aligned to 64; the arrays have as many elements as `check` requires for
            // the rank; the address is only written down.
            let status = unsafe {
                (session.api.tensor_map_tiled)(
                    to,
                    ty,
                    rank,
                    address,
                    map.sizes.as_ptr(),
                    map.strides.as_ptr(),
                    tile.as_ptr(),
                    map.steps.as_ptr(),
                    interleave,
                    swizzle as c_int,
                    promotion,
                    fill,
                )
            };
            session.check("cuTensorMapEncodeTiled", status)?;
        }
        Shape::Im2col {
            lower,
            upper,
            channels,
            pixels,
        } => {
            // The driver has corners in the order D, H, W.
            let reversed = |corner: &[i32]| corner.iter().rev().copied().collect::<Vec<c_int>>();
            let (lower, upper) = (reversed(lower), reversed(upper));
            // SAFETY: as above; corners have two elements less than the rank.
            let status = unsafe {
                (session.api.tensor_map_im2col)(
                    to,
                    ty,
                    rank,
                    address,
                    map.sizes.as_ptr(),
                    map.strides.as_ptr(),
                    lower.as_ptr(),
                    upper.as_ptr(),
                    *channels,
                    *pixels,
                    map.steps.as_ptr(),
                    interleave,
                    swizzle as c_int,
                    promotion,
                    fill,
                )
            };
            session.check("cuTensorMapEncodeIm2col", status)?;
        }
    }
    *bytes = made.0;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Opaque;

    #[test]
    fn a_map_has_the_size_and_alignment_of_the_header() {
        assert_eq!((size_of::<Opaque>(), align_of::<Opaque>()), (128, 64));
    }
}
