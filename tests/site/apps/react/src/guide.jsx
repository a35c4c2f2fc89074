import { createRoot } from "react-dom/client";
import { HashRouter, Link, Route, Routes, useNavigate, useParams } from "react-router";

const Front = () => {
  const go = useNavigate();
  return (
    <>
      <h1>Guide</h1>
      <Link to="/steps/1">First step</Link> <Link to="/steps/2">Second step</Link>
      <div style={{ cursor: "pointer" }} onClick={() => go("/faq")}>Questions</div>
    </>
  );
};
const Step = () => <><h1>Step {useParams().number}</h1><p>What is to be done in step {useParams().number}.</p></>;
const Questions = () => <><h1>Questions</h1><p>What people ask, and what we say to it.</p></>;

createRoot(document.getElementById("root")).render(
  <HashRouter>
    <Routes>
      <Route path="/" element={<Front />} />
      <Route path="/steps/:number" element={<Step />} />
      <Route path="/faq" element={<Questions />} />
    </Routes>
  </HashRouter>
);
