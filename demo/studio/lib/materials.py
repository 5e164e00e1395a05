"""Procedural materials. G is a tiny wrapper so a shader graph reads like an expression."""
import bpy

PAL = dict(plaster='#ece3d7', plaster_dk='#d3c6b6', linen='#d9cbb4', oat='#cbb79a', clay='#9c7862', terracotta='#b5644a', ochre='#c8963e',
           sage='#8f9a7c', indigo='#41506b', ink='#2f3238', cream='#efe6d4', rose='#c79a8c')

def hexc(h):
    if not isinstance(h, str): return tuple(h)[:3] + (1,)
    h = PAL.get(h, h).lstrip('#'); f = lambda v: v / 12.92 if v <= .04045 else ((v + .055) / 1.055)**2.4
    return tuple(f(int(h[i:i + 2], 16) / 255) for i in (0, 2, 4)) + (1,)

class G:
    def __init__(s, name):
        s.m = bpy.data.materials.new(name); s.m.use_nodes = True; s.t = s.m.node_tree; s.t.nodes.clear()
    def n(s, kind, out=0, props=None, **ins):
        """add node; ins by socket name (_ for space) or i0,i1.. by index; values or sockets"""
        nd = s.t.nodes.new('ShaderNode' + kind)
        for k, v in (props or {}).items(): setattr(nd, k, v)
        for k, v in ins.items():
            so = nd.inputs[int(k[1:])] if k[0] == 'i' and k[1:].isdigit() else nd.inputs[k.replace('_', ' ')]
            if isinstance(v, bpy.types.NodeSocket): s.t.links.new(v, so)
            else: so.default_value = hexc(v) if isinstance(v, str) else v
        return nd.outputs[out]
    def coord(s, kind='Object', scale=(1, 1, 1), rot=(0, 0, 0), loc=(0, 0, 0)):
        return s.n('Mapping', Vector=s.n('TexCoord', kind), Scale=scale, Rotation=rot, Location=loc)
    def noise(s, v, scale=5., detail=4., rough=.5, dist=0., color=False): return s.n('TexNoise', 1 if color else 0, Vector=v, Scale=scale, Detail=detail, Roughness=rough, Distortion=dist)
    def voro(s, v, scale=5., out='Distance', rand=1.): return s.n('TexVoronoi', out, Vector=v, Scale=scale, Randomness=rand)
    def wave(s, v, scale=5., dist=0., detail=2., dscale=1., kind='BANDS', dirn='X'):
        return s.n('TexWave', 1, props=dict(wave_type=kind, **({'bands_direction': dirn} if kind == 'BANDS' else {'rings_direction': dirn})), Vector=v, Scale=scale, Distortion=dist, Detail=detail, Detail_Scale=dscale)
    def ramp(s, f, stops, ease=False):
        nd = s.t.nodes.new('ShaderNodeValToRGB'); s.t.links.new(f, nd.inputs[0]); e = nd.color_ramp.elements
        if ease: nd.color_ramp.interpolation = 'EASE'
        for i, (p, c) in enumerate(stops):
            el = e[i] if i < 2 else e.new(p)
            el.position = p; el.color = (c, c, c, 1) if isinstance(c, (int, float)) else hexc(c)
        return nd.outputs[0]
    def mix(s, f, a, b, blend='MIX'):
        nd = s.t.nodes.new('ShaderNodeMixRGB'); nd.blend_type = blend
        for i, v in enumerate((f, a, b)):
            if isinstance(v, bpy.types.NodeSocket): s.t.links.new(v, nd.inputs[i])
            else: nd.inputs[i].default_value = v if i == 0 else hexc(v)
        return nd.outputs[0]
    def math(s, op, a, b=0., c=0.): return s.n('Math', props=dict(operation=op), i0=a, i1=b, i2=c)
    def vadd(s, a, b, k=1.): return s.n('VectorMath', props=dict(operation='MULTIPLY_ADD'), i0=s.n('VectorMath', props=dict(operation='SUBTRACT'), i0=b, i1=(.5, .5, .5)), i1=(k, k, k), i2=a)
    def sep(s, v, ax): return s.n('SeparateXYZ', 'XYZ'.index(ax), Vector=v)
    def range(s, f, a, b, c=0., d=1.): return s.n('MapRange', Value=f, From_Min=a, From_Max=b, To_Min=c, To_Max=d)
    def bump(s, h, strength=.2, dist=.02, normal=None):
        kw = dict(Normal=normal) if normal else {}
        return s.n('Bump', Height=h, Strength=strength, Distance=dist, **kw)
    def pbr(s, cheap=None, **kw):
        """cheap = flat colour seen by bounced light: the SVM then skips the costly noise nodes on every indirect hit"""
        b = s.n('BsdfPrincipled', **kw)
        if cheap: b = s.n('MixShader', i0=s.n('LightPath', 'Is Diffuse Ray'), i1=b, i2=s.n('BsdfDiffuse', Color=cheap))
        return s.out(b)
    def out(s, sh):
        o = s.t.nodes.new('ShaderNodeOutputMaterial'); s.t.links.new(sh, o.inputs[0]); return s.m

def plain(name, col, v=1., rough=.8):
    c = [x * v for x in hexc(col)[:3]] + [1]
    return G(name).pbr(Base_Color=c, Roughness=rough, Specular=.2)

def plaster(col='plaster', dark='plaster_dk', scale=1.):
    g = G('plaster'); c = g.coord(scale=(scale,) * 3); w = g.vadd(c, g.noise(c, 1.3, 1, color=True), .9)
    big = g.noise(w, .9, 4, .6); fine = g.noise(c, 11, 5, .68); tr = g.noise(g.coord(scale=(3 * scale, 3 * scale, .8 * scale)), 2, 3, .7)
    base = g.mix(g.ramp(big, [(.3, 0.), (.75, .8)]), col, dark); base = g.mix(.10, base, g.ramp(fine, [(.3, '#b5a48e'), (.7, '#fff6e8')]), 'OVERLAY')
    return g.pbr(cheap=col, Base_Color=base, Roughness=.9, Specular=.15, Normal=g.bump(g.math('MULTIPLY_ADD', tr, .5, g.math('MULTIPLY', fine, .5)), .35, .03))

def linen(col='#ded2c1', thread=112., coord='Object'):
    """Woven threads: two wave sets, slubs, over-under height."""
    g = G('linen'); c = g.coord(coord); w = g.vadd(c, g.noise(c, 5., 3, color=True), .035)
    sx = g.noise(g.coord(coord, (1.5, 70, 1)), 1., 2); sy = g.noise(g.coord(coord, (70, 1.5, 1)), 1., 2)
    a = g.wave(w, thread / 6.283 * 2, 0, dirn='X'); b = g.wave(w, thread / 6.283 * 2, 0, dirn='Y')
    ck = g.math('MULTIPLY', g.math('SINE', g.math('MULTIPLY', g.sep(w, 'X'), thread * 2)), g.math('SINE', g.math('MULTIPLY', g.sep(w, 'Y'), thread * 2)))
    h = g.math('ADD', g.math('MAXIMUM', g.math('MULTIPLY', a, g.math('ADD', sy, .6)), g.math('MULTIPLY', b, g.math('ADD', sx, .6))), g.math('MULTIPLY', ck, .15))
    k = g.mix(g.ramp(g.math('MULTIPLY', g.math('ADD', sx, sy), .5), [(.3, 0.), (.7, 1.)]), '#a8967f', '#fffaf0')
    base = g.mix(.45, col, k, 'OVERLAY'); base = g.mix(g.ramp(h, [(.15, .6), (.7, 0.)]), base, '#94816b', 'MULTIPLY')
    return g.pbr(cheap=col, Base_Color=base, Roughness=.95, Specular=.1, Sheen=.35, Normal=g.bump(h, .55, .012))

def stoneware(col='cream', foot='clay', z_foot=.14, z_rim=None, speck=1., brk='#8d5f3d', rough=.3, dip=None):
    """Speckled glaze over raw clay foot; glaze breaks brown at the rim; optional second dip colour below z=dip."""
    g = G('stoneware'); c = g.coord(); z = g.sep(c, 'Z'); nz = g.noise(c, 2.2, 4); big = g.noise(c, 1.1, 3)
    zz = g.math('MULTIPLY_ADD', g.math('SUBTRACT', nz, .5), .05, z)
    gl = g.mix(g.ramp(big, [(.3, 0.), (.7, .5)]), col, g.mix(.5, col, 'oat'))
    if dip is not None:
        f = g.range(g.math('MULTIPLY_ADD', g.math('SUBTRACT', g.noise(c, 1.6, 2), .5), .12, z), dip[0] - .012, dip[0] + .012)
        gl = g.mix(f, dip[1], gl)
    if z_rim: gl = g.mix(g.range(zz, z_rim - .035, z_rim + .005, 0, .85), gl, brk)
    wc = g.vadd(c, g.noise(c, 40, 2, color=True), .012)
    for sc, th, colr in ((13, .17, '#432d1e'), (27, .19, '#5e4029'), (58, .22, '#7a5a40')):
        on = g.math('GREATER_THAN', g.sep(g.voro(c, sc, 'Color'), 'X'), 1 - .42 * speck)
        d = g.ramp(g.voro(wc, sc), [(th * .45, .85), (th * 1.35, 0.)]); gl = g.mix(g.math('MULTIPLY', d, on), gl, colr)
    cl = g.mix(g.ramp(g.noise(c, 60, 4), [(.35, 0.), (.7, .6)]), foot, '#6d4534'); m = g.range(zz, z_foot - .006, z_foot + .006)
    mottl = g.noise(c, 7, 4)
    nb = g.bump(g.math('MULTIPLY_ADD', mottl, .6, g.math('MULTIPLY', g.noise(c, 90, 3), g.range(m, 0, 1, .5, .04))), .25, .02)
    return g.pbr(cheap=col, Base_Color=g.mix(m, cl, gl), Roughness=g.math('ADD', g.range(m, 0, 1, .55, 0), g.range(mottl, .3, .7, rough - .05, rough + .12)), Specular=g.range(m, 0, 1, .15, .5), Clearcoat=g.range(m, 0, 1, 0, .5), Clearcoat_Roughness=.14, Normal=nb)

def wood(light='#a97c50', dark='#5a3a24', axis='X', ring=9., rough=.42, pores=1., fig=.35, seed=0., coat=.12, paint=None):
    """Annual rings around a noisy pith line along `axis`, stretched pores, figure. paint = thin colour wash over grain."""
    g = G('wood'); k = {'X': (.12, 1, 1), 'Y': (1, .12, 1), 'Z': (1, 1, .12)}[axis]
    c = g.coord(scale=k, loc=(seed * 1.7, seed * .9 + .35, seed * .6 - .8)); w = g.vadd(c, g.noise(c, 1.5, 3, color=True), fig); w = g.vadd(w, g.noise(c, 8, 2, color=True), .03)
    r = g.n('VectorMath', 'Value', props=dict(operation='LENGTH'), i0=g.n('VectorMath', props=dict(operation='MULTIPLY'), i0=w, i1=tuple(0. if a < 1 else 1. for a in k)))
    rr = g.math('FRACT', g.math('MULTIPLY', r, ring)); early = g.ramp(rr, [(0., .15), (.55, .45), (.9, 1.), (1., .15)])
    kp = {'X': (2.2, 60, 60), 'Y': (60, 2.2, 60), 'Z': (60, 60, 2.2)}[axis]; pc = g.coord(scale=kp)
    fib = g.noise(pc, .7, 4, .7); por = g.ramp(g.noise(g.coord(scale=tuple(v * 1.6 for v in kp)), 1., 2, .4), [(.55, 0.), (.64, 1.)])
    hue = g.noise(c, 1.1, 3)
    b = g.mix(early, light, dark); b = g.mix(g.ramp(fib, [(.35, .5), (.62, 0.)]), b, dark); b = g.mix(g.ramp(hue, [(.35, 0.), (.7, .35)]), b, '#7a4a2c')
    if paint: b = g.mix(g.range(fib, .25, .6, .78, .97), b, paint)
    b = g.mix(g.math('MULTIPLY', por, .55 * pores), b, '#23150c')
    h = g.math('SUBTRACT', g.math('MULTIPLY', fib, .5), g.math('MULTIPLY', por, .6 * pores))
    return g.pbr(cheap=paint or light, Base_Color=b, Roughness=g.range(early, 0, 1, rough - .05, rough + .08), Specular=.4, Clearcoat=coat, Clearcoat_Roughness=.25, Normal=g.bump(h, .16, .008))

def walnut(**k): return wood(**{**dict(light='#8a5d3c', dark='#3d2416', ring=7, rough=.4, coat=.15), **k})
def maple(**k): return wood(**{**dict(light='#d9b88c', dark='#b98f60', ring=11, pores=.25, rough=.5, fig=.2), **k})

def metal(col, rough=.2, hammer=0., brush=.15, patina=None, scale=1.):
    g = G('metal'); c = g.coord(); sm = g.noise(c, 9 * scale, 5, .6)
    h = g.math('MULTIPLY', g.noise(g.coord(scale=(4, 90, 90)), 2 * scale, 3), brush * .15)
    if hammer:
        v = g.n('TexVoronoi', props=dict(feature='SMOOTH_F1'), Vector=g.vadd(c, g.noise(c, 5 * scale, 1, color=True), .05 / scale), Scale=9 * scale, Smoothness=.6); h = g.math('MULTIPLY_ADD', v, hammer, h)
    base = hexc(col)
    if patina: base = g.mix(g.ramp(sm, [(.48, 0.), (.75, .55)]), col, patina)
    return g.pbr(Base_Color=base, Metallic=1., Roughness=g.range(sm, .3, .7, rough - .06, rough + .10), Normal=g.bump(h, .5, .02 / scale))

def brass(**k): return metal('#e8c38e', **{**dict(rough=.24, patina='#b5804a'), **k})
def silver(**k): return metal('#e6e2da', **{**dict(rough=.18, patina='#a8a198'), **k})

def wool(col='#b9a58a', col2=None):
    g = G('wool'); a = g.n('Attribute', 'Fac', props=dict(attribute_name='var')); c = g.coord(); nz = g.noise(c, 70, 4, .75)
    b = g.mix(a, col, col2 or g.mix(.5, col, '#fff4e2')); b = g.mix(.6, b, g.ramp(nz, [(.35, '#5f5140'), (.65, '#fff8ec')]), 'OVERLAY')
    p = g.n('BsdfPrincipled', Base_Color=b, Roughness=1., Specular=.05, Sheen=.8, Sheen_Tint=.6, Normal=g.bump(g.noise(g.coord(scale=(1, 1, 1)), 110, 3), .5, .01))
    tr = g.n('BsdfTranslucent', Color=b); return g.out(g.n('MixShader', i0=.18, i1=p, i2=tr))

def beeswax(col='#d79a3c'):
    g = G('beeswax'); c = g.coord(); n1 = g.noise(c, 3, 4); bl = g.ramp(g.noise(c, 6, 6, .7), [(.5, 0.), (.8, .35)])
    b = g.mix(g.ramp(n1, [(.3, 0.), (.7, .45)]), col, '#b9742a'); b = g.mix(bl, b, '#f0d9a6')
    return g.pbr(Base_Color=b, Subsurface=.22, Subsurface_Radius=(.22, .11, .03), Subsurface_Color='#e3a03c', Roughness=.48, Specular=.4, Normal=g.bump(g.noise(c, 14, 4), .12, .02))

def glass(col='#f3f7f2', rough=.0):
    g = G('glass'); sh = g.n('BsdfGlass', Color=col, Roughness=rough, IOR=1.48); tr = g.n('BsdfTransparent', Color='#e4ebe2')
    return g.out(g.n('MixShader', i0=g.math('MAXIMUM', g.n('LightPath', 'Is Shadow Ray'), g.n('LightPath', 'Is Diffuse Ray')), i1=sh, i2=tr))

def stone(col='#5f7d74', col2='#2f4a46', cloud=3., sss=.15):
    g = G('stone'); c = g.coord(); w = g.vadd(c, g.noise(c, cloud, 3, color=True), .4)
    return g.pbr(Base_Color=g.mix(g.ramp(g.noise(w, cloud * 2, 5, .6), [(.35, 0.), (.7, 1.)]), col, col2), Roughness=.12, Specular=.6, Subsurface=sss, Subsurface_Radius=(.02, .03, .03), Clearcoat=.6, Clearcoat_Roughness=.03)

def watercolor(washes, paper='#f4efe3', seed=0.):
    """washes: list of (colour, kind, args, strength); layered transparent pigment with dark edges, granulation, blooms.
    kind 'hill' (y0, slope, rough) fills below a ragged line; 'blob' (x, y, r) a disc. Coordinates are UV 0..1."""
    g = G('watercolor'); uv = g.coord('UV'); tooth = g.noise(uv, 190, 4, .6); b = hexc(paper); x, y = g.sep(uv, 'X'), g.sep(uv, 'Y')
    for i, (col, kind, a, st) in enumerate(washes):
        sh = g.coord('UV', loc=(i * 3.1 + seed, i * 1.7 + seed, seed))
        rag = g.math('MULTIPLY_ADD', g.math('SUBTRACT', g.noise(sh, 22, 4, .6), .5), .022, g.math('MULTIPLY', g.math('SUBTRACT', tooth, .5), .008))
        if kind == 'hill':
            l = g.math('MULTIPLY_ADD', g.math('SUBTRACT', g.noise(g.coord('UV', (1, .0, 1), loc=(i * 3.1 + seed, 0, seed)), a[2], 3, .5), .5), a[3], g.math('MULTIPLY_ADD', x, a[1], a[0])); d = g.math('SUBTRACT', l, y)
        else:
            e = g.vadd(uv, g.noise(sh, 3.2, 2, color=True), .10)
            d = g.math('SUBTRACT', a[2], g.n('VectorMath', 'Value', props=dict(operation='DISTANCE'), i0=g.n('VectorMath', props=dict(operation='MULTIPLY'), i0=e, i1=(1, 1, 0)), i1=(a[0], a[1], 0)))
        d = g.math('ADD', d, rag); m = g.range(d, 0, .004); edge = g.math('MULTIPLY', m, g.range(d, .002, .016, 1, 0))
        flow = g.noise(g.vadd(sh, g.noise(sh, 3, 3, color=True), .35), 3.5, 5, .62); fade = g.range(d, .0, a[4] if len(a) > 4 else .6, 1, .35)
        gran = g.range(tooth, .3, .7, .72, 1.12)
        den = g.math('MULTIPLY', g.math('MULTIPLY', g.math('MULTIPLY', g.range(flow, .25, .75, .35, 1.15), fade), g.math('MULTIPLY', m, gran)), st)
        den = g.math('MINIMUM', g.math('MULTIPLY_ADD', edge, .28 * st, den), 1.); b = g.mix(den, b, col, 'MULTIPLY')
    return g.pbr(cheap=paper, Base_Color=b, Roughness=.95, Specular=.1, Normal=g.bump(tooth, .35, .006))

def leather(col='#a9713f', dark=None, rough=.42):
    g = G('leather'); c = g.coord(); big = g.noise(c, 2.5, 4, .6); gr = g.voro(g.vadd(c, g.noise(c, 30, 2, color=True), .012), 46); fine = g.noise(c, 120, 3)
    b = g.mix(g.ramp(big, [(.3, 0.), (.7, .55)]), col, dark or g.mix(.55, col, '#4a2a14')); b = g.mix(g.ramp(gr, [(.0, .35), (.30, 0.)]), b, '#3d2211'); b = g.mix(.25, b, g.ramp(fine, [(.3, '#7d5a3a'), (.7, '#fff0da')]), 'OVERLAY')
    return g.pbr(cheap=col, Base_Color=b, Roughness=g.range(big, .3, .7, rough - .06, rough + .12), Specular=.4, Normal=g.bump(g.math('ADD', g.range(gr, 0, .4, 0, 1), g.math('MULTIPLY', fine, .4)), .22, .008))
