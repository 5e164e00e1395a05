"""Turned walnut bowl, grain running across, 22 cm wide."""
from _base import *
p = [(0, .06), (.36, .06), (.40, .0), (.44, .0), (.47, .04), (.68, .16), (.93, .40), (1.07, .66), (1.12, .80), (1.105, .835), (1.07, .83), (1.01, .70), (.86, .45), (.62, .235), (.32, .15), (0, .135)]
W, H = opt('width', 1.), opt('height', 1.)
p = [(x * W, z * (1 if z < .07 else H)) for x, z in p]
wd = M.maple(axis='X', ring=9, seed=.8, fig=.3) if opt('wood', 'walnut') == 'maple' else M.walnut(axis='X', ring=12, seed=.4, light='#8f623e')
b = lathe('bowl', p, wd, 240, 320, wobble=.002, rings=.0008, ringfreq=16, seed=5)
move([b], (0, 0, 0), (0, 0, math.radians(24)))
backdrop(M.plaster('#e2d8c8'), M.plaster())
window(); camera((0, 0, .36 * H), opt('dist', 7.4), opt('elev', 25.), 0, 85, 3.2, focus=(0, -.7, .5 * H)); render('bowl')
