//! Faces of cube maps, by the programming guide of CUDA.

/// The face that a direction from the middle of a cube hits, and where, from 0 to 1 in both directions. The guide says it where one
/// coordinate is larger than the others; `None` where none is.
///
/// ```
/// use warpc_launch::texture::face_of;
/// assert_eq!(face_of([0.5, -2.0, 1.0]), Some((3, [0.625, 0.25])));
/// assert_eq!(face_of([1.0, 1.0, 0.0]), None);
/// ```
pub fn face_of(direction: [f32; 3]) -> Option<(u32, [f32; 2])> {
    let [x, y, z] = direction.map(f64::from);
    let (a, b, c) = (x.abs(), y.abs(), z.abs());
    let (face, m, s, t) = if a > b && a > c {
        match x > 0.0 {
            true => (0, x, -z, -y),
            false => (1, -x, z, -y),
        }
    } else if b > a && b > c {
        match y > 0.0 {
            true => (2, y, x, z),
            false => (3, -y, x, -z),
        }
    } else if c > a && c > b {
        match z > 0.0 {
            true => (4, z, x, -y),
            false => (5, -z, -x, -y),
        }
    } else {
        return None;
    };
    let place = |along: f64| ((along / m + 1.0) / 2.0) as f32;
    Some((face, [place(s), place(t)]))
}
