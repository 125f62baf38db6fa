import {bannerLine} from './banner-line.ts';
import {headerLine} from './header-line.ts';
import {type Screen} from './screen.ts';
import {type Line} from './span.ts';

/** The lines above the view: the header, and the banner while there is one. */
export function topLines(screen: Screen): readonly Line[] {
	const banner = bannerLine(screen);
	return banner ? [headerLine(screen), banner] : [headerLine(screen)];
}
