import {bannerLine, configBanner} from './banner-line.ts';
import {headerLine} from './header-line.ts';
import {type Screen} from '../state/screen.ts';
import {type Line} from '../text/span.ts';

/** The lines above the view: the header, and the banners while there are some. */
export function topLines(screen: Screen): readonly Line[] {
	return [headerLine(screen), configBanner(screen.snapshot), bannerLine(screen)].filter(line => line !== undefined);
}
