import pytest
from turbohtml import Element, parse

from quire.convert.mathml import tex_of


def formula(mathml: str) -> Element:
    found = parse(f"<math>{mathml}</math>").find("math")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        ("<mfrac><mi>a</mi><mrow><mn>2</mn><mi>b</mi></mrow></mfrac>", r"\frac{a}{2b}"),
        ("<msup><mi>x</mi><mn>2</mn></msup><mo>−</mo><msub><mi>x</mi><mn>10</mn></msub>", "x^2-x_{10}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i^2"),
        ("<msup><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></msup>", "{a+b}^2"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", r"\sqrt{x+1}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>",
            "∑_{i=1}^n",
        ),
        ("<munder><mi>lim</mi><mi>n</mi></munder><msup><mi>x</mi><mi>n</mi></msup>", r"\lim_nx^n"),
        ("<mi>sin</mi><mo>&#x2061;</mo><msup><mi>x</mi><mn>2</mn></msup>", r"\sin x^2"),
        ("<mover><mi>B</mi><mo>→</mo></mover>", r"\vec{B}"),
        ("<mover><mo>=</mo><mtext>def</mtext></mover>", r"\overset{\text{def}}{=}"),
        ("<mo>{</mo><msup><mi mathvariant=bold>v</mi><mi>ab</mi></msup><mo>}</mo>", r"\{{\mathbf{v}}^{\mathrm{ab}}\}"),
        ("<mfenced><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfenced>", "(a,b^2)"),
        (
            "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd></mtd></mtr></mtable>",
            r"\begin{matrix} 1 & 0 \\ 0 &  \end{matrix}",
        ),
        ("<semantics><msup><mi>x</mi><mn>2</mn></msup><annotation-xml>no</annotation-xml></semantics>", "x^2"),
    ],
)
def test_mathml_is_drawn_as_tex(mathml: str, tex: str) -> None:
    """M1"""
    assert tex_of(formula(mathml)) == tex


@pytest.mark.parametrize(
    "mathml",
    [
        "<mi>x</mi><mo>=</mo><mn>1</mn>",
        "<msup><mi>x</mi></msup>",
        "<mfrac><mi>a</mi><mglyph></mglyph></mfrac>",
        "<mtable><mi>x</mi></mtable>",
        "<mrow>" * 60 + "<msup><mi>x</mi><mn>2</mn></msup>",
    ],
)
def test_other_mathml_stays_text(mathml: str) -> None:
    """M1: a row of signs, and what is broken, strange or too deep"""
    assert tex_of(formula(mathml)) is None
