//! The files that a drawing can be written to.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use policy_host::escaped;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

/// Pixels of a PNG for each unit of the drawing, so that it is sharp on screens of today.
const SCALE: f32 = 2.0;

/// Largest height of a PNG, pixels.
const MAX_PIXELS: u32 = 20_000;

/// What a file of a chart holds, by the end of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChartFormat {
    Svg,
    Png,
}

impl ChartFormat {
    /// What the file is to hold.
    ///
    /// # Errors
    ///
    /// When its name ends in something else.
    pub(super) fn of(path: &Path) -> anyhow::Result<Self> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => {
                let shown = escaped(path.as_os_str().as_encoded_bytes());
                bail!("--chart {shown}: charts are drawn as SVG or PNG; name a file that ends in .svg or .png")
            }
        }
    }

    /// What is written of a drawing.
    ///
    /// # Errors
    ///
    /// When it is too long for a PNG.
    pub(super) fn encode(self, svg: String) -> anyhow::Result<Vec<u8>> {
        match self {
            Self::Svg => Ok(svg.into_bytes()),
            Self::Png => png(&svg),
        }
    }
}

/// A drawing as pixels. Texts are set in a font of our own; what it does not have comes from the fonts of the system.
fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    let mut fonts = Database::new();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    let own = fonts.faces().next().and_then(|face| Some(face.families.first()?.0.clone()));
    fonts.load_system_fonts();
    // Last, for the system's own choice, which it names even where it is not installed, comes with its fonts.
    fonts.set_sans_serif_family(own.context("the font of drawings cannot be read")?);
    let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(svg, &options)?;
    let size = tree.size();
    let (width, height) = ((size.width() * SCALE).ceil() as u32, (size.height() * SCALE).ceil() as u32);
    let pixels = Pixmap::new(width, height).filter(|_| height <= MAX_PIXELS);
    let mut pixels = pixels.ok_or_else(|| {
        anyhow!("the chart is too long for a PNG; write it as .svg, or ask for less with --bot, --policy or --since")
    })?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}
