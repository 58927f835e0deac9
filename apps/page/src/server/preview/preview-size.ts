/** The picture of a shared link, in pixels: the size that networks show large without cropping. */
export const PREVIEW_WIDTH = 1200
export const PREVIEW_HEIGHT = 630
